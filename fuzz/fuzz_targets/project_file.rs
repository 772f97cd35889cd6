//! Any bytes as a `_project.yml`: what is wrong becomes a problem with a line that exists.
#![no_main]

use libfuzzer_sys::fuzz_target;
use source::RawFile;
use source::formats::decisions::read_project_file;

mod swell;

fuzz_target!(|data: &[u8]| {
    let bytes = swell::swell(data);
    let lines = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() + 1;
    let (project, problems) = read_project_file(&RawFile { path: "acme/_project.yml".to_owned(), bytes });
    assert!(project.name.is_none_or(|name| !name.trim().is_empty()), "a name of blanks");
    for problem in problems {
        assert!(problem.line_number.is_none_or(|line| line >= 1 && line as usize <= lines + 1), "no such line: {problem:?}");
        assert!(!problem.message.is_empty());
    }
});
