//! Migrations: numbered from one without gaps, so that every database takes the same way.

use std::collections::BTreeMap;

use super::{Finding, House};

const WHY: &str = "a database is brought forward by number; a gap or a double means that two databases of one number differ";

pub fn findings(house: &House) -> Vec<Finding> {
    let mut folders: BTreeMap<&str, Vec<(&str, Option<usize>)>> = BTreeMap::new();
    for file in house.files_of(".sql") {
        if let Some((folder, name)) =
            file.path.rsplit_once('/').filter(|(folder, _)| folder.ends_with("/migrations") || folder.contains("/migrations/"))
        {
            let number = name.split_once('_').and_then(|(digits, _)| digits.parse().ok());
            folders.entry(folder).or_default().push((name, number));
        }
    }
    let mut findings = Vec::new();
    for (folder, mut files) in folders {
        files.sort_by_key(|(_, number)| *number);
        for (index, (name, number)) in files.iter().enumerate() {
            if *number != Some(index + 1) {
                let message = format!("should be numbered {:04}", index + 1);
                findings.push(Finding { path: format!("{folder}/{name}"), line_number: 0, rule: "migrations", message, why: WHY });
            }
        }
    }
    findings
}
