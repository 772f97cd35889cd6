//! Any text as a uri: whatever is understood keeps its meaning over uri, permalink and back.
#![no_main]

use document::Uri;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let readings = Uri::readings(&text);
    if let Ok(uri) = Uri::parse(&text) {
        assert_eq!(readings.first(), Some(&uri), "the canonical reading comes first");
    }
    for (index, uri) in readings.iter().enumerate() {
        assert!(!uri.path().is_empty(), "a uri that names nothing");
        assert!(!readings[..index].contains(uri), "one reading twice");
        assert_eq!(Uri::parse(&uri.to_string()).as_ref(), Ok(uri), "a uri is not what it was written as");
        assert_eq!(Uri::from_permalink(&uri.permalink()).as_ref(), Ok(uri), "a permalink leads elsewhere");
        let whole = uri.clone().without_section();
        assert_eq!(Uri::from_permalink(&whole.permalink()).as_ref(), Ok(&whole), "a permalink leads elsewhere");
    }
    // Any path that a web server may be asked for.
    if let Ok(uri) = Uri::from_permalink(&text) {
        assert_eq!(Uri::from_permalink(&uri.permalink()).as_ref(), Ok(&uri), "a permalink leads elsewhere");
    }
});
