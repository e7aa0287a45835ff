#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| omerta_fuzz::rules(data));
