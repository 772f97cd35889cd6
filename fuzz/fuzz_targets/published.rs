//! Any bytes as a site's `decisions.json` and `llms.txt`: read or refused, each id once, and what is written of it reads back the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use source::formats::decisions::published;

mod swell;

fuzz_target!(|data: &[u8]| {
    let bytes = swell::swell(data);
    // What stands behind a NUL is the llms.txt; a JSON text holds none.
    let at = bytes.iter().position(|byte| *byte == 0);
    let (index, llms) = at.map_or((bytes.as_slice(), &b""[..]), |at| (&bytes[..at], &bytes[at + 1..]));
    let Ok((site, problems)) = published::read(index) else { return };
    for problem in problems {
        assert!(!problem.message.is_empty());
    }
    let ids: std::collections::HashSet<String> = site.records.iter().map(|record| record.id.to_lowercase()).collect();
    assert_eq!(ids.len(), site.records.len(), "two records with one id");
    let (again, problems) = published::read(published::write(&site).as_bytes()).expect("what was written is read");
    assert_eq!(problems, []);
    assert_eq!(again, site);
    for named in published::read_projects(&String::from_utf8_lossy(llms), &site.records) {
        assert!(site.records.iter().any(|record| record.project == named.id), "no record has the project {named:?}");
        assert!(!named.name.is_empty());
    }
});
