//! To come: offers.
