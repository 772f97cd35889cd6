//! Which file systems tell of every change. Unknown ones are not trusted: a change made on another machine causes no event here.

use std::path::Path;

/// Magic numbers of `statfs(2)` of file systems whose changes all go through this kernel.
const LOCAL: [i64; 22] = [
    0xEF53,      // ext2, ext3, ext4
    0x5846_5342, // xfs
    0x9123_683E, // btrfs
    0x0102_1994, // tmpfs
    0x8584_58F6, // ramfs
    0x2FC1_2FC1, // zfs
    0xF2F5_2010, // f2fs
    0xCA45_1A4E, // bcachefs
    0x794C_7630, // overlay
    0xF15F,      // ecryptfs
    0x4D44,      // vfat
    0x2011_BAB0, // exfat
    0x7366_746E, // ntfs3
    0x482B,      // hfs+
    0x4244,      // hfs
    0x5265_4973, // reiserfs
    0x3153_464A, // jfs
    0x3434,      // nilfs
    0x9660,      // iso9660
    0x1501_3346, // udf
    0x7371_7368, // squashfs
    0xE0F5_E1E2, // erofs
];

/// Names for the reason that a person reads.
const REMOTE: [(i64, &str); 13] = [
    (0x6969, "NFS"),
    (0x517B, "SMB"),
    (0xFE53_4D42, "SMB"),
    (0xFF53_4D42, "CIFS"),
    (0x6573_5546, "FUSE or virtiofs"),
    (0x0102_1997, "9p"),
    (0x00C3_6400, "Ceph"),
    (0x5346_414F, "AFS"),
    (0x0BD0_0BD0, "Lustre"),
    (0x0116_1970, "GFS2"),
    (0x7461_636F, "OCFS2"),
    (0x786F_4256, "a VirtualBox share"),
    (0xBACB_ACBC, "a VMware share"),
];

/// File systems that count a folder's sub-folders in its number of links: two and one for each. Others say one, or anything.
const COUNTING: [i64; 4] = [0xEF53, 0x5846_5342, 0x0102_1994, 0xF2F5_2010];

/// What is known of the file system at a path.
pub(super) struct FileSystem {
    /// Why changes may pass without an event; `None` where they do not, and where nothing is there.
    pub reason_against: Option<String>,
    /// Whether a folder with two links has no sub-folders.
    pub counts_folders: bool,
}

impl FileSystem {
    pub(super) fn of(path: &Path) -> Self {
        let Ok(statistics) = rustix::fs::statfs(path) else { return Self { reason_against: None, counts_folders: false } };
        #[allow(clippy::useless_conversion, reason = "the width of the field differs between processors")]
        let magic = i64::from(statistics.f_type) & 0xFFFF_FFFF;
        let counts_folders = COUNTING.contains(&magic);
        if LOCAL.contains(&magic) {
            return Self { reason_against: None, counts_folders };
        }
        let known = REMOTE.iter().find(|(number, _)| *number == magic);
        let name = known.map_or_else(|| format!("of an unknown kind (0x{magic:X})"), |(_, name)| (*name).to_owned());
        let reason = format!("the file system of `{}` is {name}, which does not tell of changes made elsewhere", path.display());
        Self { reason_against: Some(reason), counts_folders }
    }
}
