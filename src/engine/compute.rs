//! Instructions that only work values out.
