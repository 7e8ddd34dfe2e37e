//! The frame of every binary file: what it is, which version, whether it is whole.
//!
//! Layout, little-endian: a 64-byte header (magic, kind, version, number of sections, file
//! length, checksum of header and section table), the section table (name, offset, length,
//! checksum), then the sections, each at a multiple of 64 bytes so that a mapped file can be
//! read as arrays in place. Opening checks header, table and length, in microseconds
//! whatever the size; `verify` reads everything.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use memmap2::{Mmap, MmapMut};
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::scratch::{is_special, real_path, temporary};
use crate::{Error, Result};

const MAGIC: [u8; 8] = *b"\x89headway";
const HEADER: usize = 64;
const ENTRY: usize = 40;
const ALIGNMENT: u64 = 64;
const NAME: usize = 16;

/// What a file holds, by a short name such as `vocab`, and the version of that format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    pub name: &'static str,
    pub version: u32,
}

/// Writes sections one after the other; the file gets its name in `finish`.
pub struct ContainerWriter {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
    kind: Kind,
    sections: Vec<Section>,
    position: u64,
    checksum: Xxh3,
    capacity: usize,
}

#[derive(Debug, Clone, Copy)]
struct Section {
    name: [u8; NAME],
    offset: u64,
    length: u64,
    checksum: u64,
}

impl ContainerWriter {
    /// Starts a file of at most `capacity` sections.
    pub fn create(path: &Path, kind: Kind, capacity: usize) -> Result<Self> {
        let writing = |error: std::io::Error| Error::writing(path, &error);
        let path = &real_path(path).map_err(writing)?;
        if is_special(path).map_err(writing)? {
            let reason = "is a device or a pipe, but this is written back and forth; name a file";
            return Err(Error::Output { path: path.clone(), reason: reason.into() });
        }
        let mut file = BufWriter::new(temporary(path).map_err(writing)?);
        let position = aligned((HEADER + capacity * ENTRY) as u64);
        file.seek(SeekFrom::Start(position)).map_err(writing)?;
        Ok(ContainerWriter {
            path: path.to_path_buf(),
            file,
            kind,
            sections: Vec::new(),
            position,
            checksum: Xxh3::new(),
            capacity,
        })
    }

    /// Begins a section; what `write` gets from now on belongs to it.
    pub fn section(&mut self, name: &str) -> Result<()> {
        assert!(self.sections.len() < self.capacity, "more sections than announced");
        assert!(name.len() <= NAME, "section name too long: {name}");
        self.close_section();
        let padding = aligned(self.position) - self.position;
        self.raw(&[0; ALIGNMENT as usize][..padding as usize])?;
        let mut bytes = [0; NAME];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        self.sections.push(Section { name: bytes, offset: self.position, length: 0, checksum: 0 });
        self.checksum = Xxh3::new();
        Ok(())
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.checksum.update(bytes);
        self.raw(bytes)
    }

    pub fn finish(mut self) -> Result<()> {
        self.close_section();
        let mut front = vec![0; HEADER + self.sections.len() * ENTRY];
        front[..8].copy_from_slice(&MAGIC);
        front[8..8 + self.kind.name.len()].copy_from_slice(self.kind.name.as_bytes());
        front[16..20].copy_from_slice(&self.kind.version.to_le_bytes());
        front[20..24].copy_from_slice(&(self.sections.len() as u32).to_le_bytes());
        front[24..32].copy_from_slice(&self.position.to_le_bytes());
        for (entry, section) in front[HEADER..].chunks_exact_mut(ENTRY).zip(&self.sections) {
            entry[..NAME].copy_from_slice(&section.name);
            entry[16..24].copy_from_slice(&section.offset.to_le_bytes());
            entry[24..32].copy_from_slice(&section.length.to_le_bytes());
            entry[32..40].copy_from_slice(&section.checksum.to_le_bytes());
        }
        let checksum = xxh3_64(&front);
        front[32..40].copy_from_slice(&checksum.to_le_bytes());

        let path = self.path.clone();
        let writing = |error: std::io::Error| Error::writing(&path, &error);
        let length = self.position;
        self.file.seek(SeekFrom::Start(0)).map_err(writing)?;
        self.raw(&front)?;
        let file = self.file.into_inner().map_err(|failed| writing(failed.into_error()))?;
        // Where every section is empty, nothing but the front was ever written.
        file.as_file().set_len(length).map_err(writing)?;
        file.persist(&path).map_err(|failed| writing(failed.error))?;
        Ok(())
    }

    fn close_section(&mut self) {
        if let Some(section) = self.sections.last_mut() {
            section.length = self.position - section.offset;
            section.checksum = self.checksum.digest();
        }
    }

    fn raw(&mut self, bytes: &[u8]) -> Result<()> {
        self.position += bytes.len() as u64;
        let written = self.file.write_all(bytes);
        written.map_err(|error| Error::writing(&self.path, &error))
    }
}

/// Memory of our own, in large pages where the system has them.
pub(crate) fn anonymous(bytes: usize) -> std::io::Result<MmapMut> {
    let memory = MmapMut::map_anon(bytes.max(1))?;
    // Advice that is not taken costs speed, nothing else.
    #[cfg(target_os = "linux")]
    let _ = memory.advise(memmap2::Advice::HugePage);
    Ok(memory)
}

fn aligned(position: u64) -> u64 {
    position.next_multiple_of(ALIGNMENT)
}

/// A mapped file whose frame has been checked.
#[derive(Debug)]
pub struct Container {
    path: PathBuf,
    map: Mmap,
    sections: Vec<Section>,
}

impl Container {
    pub fn open(path: &Path, kind: Kind) -> Result<Self> {
        let reading = |error: std::io::Error| Error::reading(path, &error);
        let file = File::open(path).map_err(reading)?;
        if file.metadata().map_err(reading)?.is_dir() {
            return Err(reading(std::io::ErrorKind::IsADirectory.into()));
        }
        // SAFETY: the map is only read. Files of ours are replaced by renaming, never changed
        // in place, so the bytes stay as they are while mapped.
        let map = unsafe { Mmap::map(&file) }.map_err(reading)?;
        let sections = check_front(&map, kind).map_err(|message| Error::model(path, message))?;
        Ok(Container { path: path.to_path_buf(), map, sections })
    }

    /// The same with everything read into memory: no longer shared with other processes, but
    /// in pages as large as the system gives, which look-ups all over the file are faster in.
    pub fn into_memory(mut self) -> Result<Self> {
        let reading = |error: std::io::Error| Error::reading(&self.path, &error);
        let mut memory = anonymous(self.map.len()).map_err(reading)?;
        memory.copy_from_slice(&self.map);
        self.map = memory.make_read_only().map_err(reading)?;
        Ok(self)
    }

    /// The name of the kind of a file, if it starts like one of ours.
    pub fn kind_of(path: &Path) -> Result<Option<String>> {
        let reading = |error: std::io::Error| Error::reading(path, &error);
        let mut start = Vec::new();
        let file = File::open(path).map_err(reading)?;
        file.take(16).read_to_end(&mut start).map_err(reading)?;
        if !Self::recognises(&start) {
            return Ok(None);
        }
        let name = String::from_utf8_lossy(start.get(8..).unwrap_or_default());
        Ok(Some(name.trim_end_matches('\0').to_string()))
    }

    /// True if the file starts like one of ours, whatever its kind.
    pub fn recognises(start: &[u8]) -> bool {
        start.starts_with(&MAGIC)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.map.len() as u64
    }

    /// The bytes of a section, at an address that is a multiple of 64.
    pub fn section(&self, name: &str) -> Result<&[u8]> {
        let section = self.sections.iter().find(|section| section.is_named(name));
        let section = section
            .ok_or_else(|| Error::model(&self.path, format!("no section \"{name}\" in it")))?;
        Ok(&self.map[section.range()])
    }

    /// Where a section lies, for `bytes`: what looks things up often asks for the name once.
    pub fn locate(&self, name: &str) -> Result<std::ops::Range<usize>> {
        let start = self.section(name)?.as_ptr() as usize - self.map.as_ptr() as usize;
        Ok(start..start + self.section(name)?.len())
    }

    /// The bytes of a range that `locate` answered; of any other range, those that exist.
    pub fn bytes(&self, range: std::ops::Range<usize>) -> &[u8] {
        self.map.get(range).unwrap_or_default()
    }

    /// Reads everything and compares checksums.
    pub fn verify(&self) -> Result<()> {
        self.sections.iter().try_for_each(|section| self.verify_bytes(section))
    }

    /// The same for one section: for those that are small and say what the others mean.
    pub fn verify_section(&self, name: &str) -> Result<()> {
        let mut named = self.sections.iter().filter(|section| section.is_named(name));
        named.try_for_each(|section| self.verify_bytes(section))
    }

    fn verify_bytes(&self, section: &Section) -> Result<()> {
        if xxh3_64(&self.map[section.range()]) == section.checksum {
            return Ok(());
        }
        let name = String::from_utf8_lossy(&section.name);
        let name = name.trim_end_matches('\0');
        let message = format!("section \"{name}\" is damaged; build the file again");
        Err(Error::model(&self.path, message))
    }
}

impl Section {
    fn is_named(&self, name: &str) -> bool {
        let mut padded = [0; NAME];
        let fits = name.len() <= NAME;
        padded[..name.len().min(NAME)].copy_from_slice(&name.as_bytes()[..name.len().min(NAME)]);
        fits && padded == self.name
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.offset as usize..(self.offset + self.length) as usize
    }
}

/// Checks everything before the sections; the message says what is wrong.
fn check_front(map: &[u8], kind: Kind) -> std::result::Result<Vec<Section>, String> {
    if !map.starts_with(&MAGIC) {
        return Err(format!("not a headway {} file", kind.name));
    }
    if map.len() < HEADER {
        return Err("the file is cut short; build it again".into());
    }
    let found = String::from_utf8_lossy(&map[8..16]);
    let found = found.trim_end_matches('\0');
    if found != kind.name {
        return Err(format!("a headway {found} file where a {} file is expected", kind.name));
    }
    let version = u32_at(map, 16);
    if version > kind.version {
        return Err(format!(
            "{} format {version}, made by a newer headway (this one reads {}); upgrade headway",
            kind.name, kind.version,
        ));
    }
    if version < kind.version {
        return Err(format!(
            "{} format {version}, made by an older headway (this one reads {}); build it again",
            kind.name, kind.version,
        ));
    }
    if u64_at(map, 24) != map.len() as u64 {
        let (promised, found) = (u64_at(map, 24), map.len());
        return Err(format!("{promised} bytes promised, {found} found; build the file again"));
    }
    let table = HEADER.saturating_add((u32_at(map, 20) as usize).saturating_mul(ENTRY));
    let front = map.get(..table).ok_or("the section table is damaged; build the file again")?;
    let mut unsigned = front.to_vec();
    unsigned[32..40].fill(0);
    if xxh3_64(&unsigned) != u64_at(map, 32) {
        return Err("the header is damaged; build the file again".into());
    }
    let sections: Vec<Section> = front[HEADER..].chunks_exact(ENTRY).map(read_entry).collect();
    let inside = |section: &Section| {
        let end = section.offset.checked_add(section.length);
        end.is_some_and(|end| end <= map.len() as u64) && section.offset.is_multiple_of(ALIGNMENT)
    };
    if sections.iter().all(inside) {
        Ok(sections)
    } else {
        Err("the section table is damaged; build the file again".into())
    }
}

fn read_entry(entry: &[u8]) -> Section {
    let mut name = [0; NAME];
    name.copy_from_slice(&entry[..NAME]);
    Section {
        name,
        offset: u64_at(entry, 16),
        length: u64_at(entry, 24),
        checksum: u64_at(entry, 32),
    }
}

/// Gives the changed bytes of a file checksums that fit them: a test of what is checked besides.
#[cfg(test)]
pub fn sign(content: &mut [u8]) {
    let table = HEADER + u32_at(content, 20) as usize * ENTRY;
    for entry in (HEADER..table).step_by(ENTRY) {
        let section = read_entry(&content[entry..entry + ENTRY]);
        let checksum = xxh3_64(&content[section.range()]);
        content[entry + 32..entry + 40].copy_from_slice(&checksum.to_le_bytes());
    }
    content[32..40].fill(0);
    let checksum = xxh3_64(&content[..table]);
    content[32..40].copy_from_slice(&checksum.to_le_bytes());
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(bytes[offset..offset + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(bytes[offset..offset + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KIND: Kind = Kind { name: "test", version: 3 };

    fn written(directory: &Path) -> PathBuf {
        let path = directory.join("file");
        let mut writer = ContainerWriter::create(&path, KIND, 4).unwrap();
        writer.section("one").unwrap();
        writer.write(b"abc").unwrap();
        writer.write(b"def").unwrap();
        writer.section("two").unwrap();
        writer.section("three").unwrap();
        writer.write(&[7; 1000]).unwrap();
        writer.finish().unwrap();
        path
    }

    fn message(path: &Path, kind: Kind) -> String {
        Container::open(path, kind).unwrap_err().to_string()
    }

    #[test]
    fn sections_come_back_aligned() {
        let directory = tempfile::tempdir().unwrap();
        let container = Container::open(&written(directory.path()), KIND).unwrap();
        container.verify().unwrap();
        assert_eq!(container.section("one").unwrap(), b"abcdef");
        assert_eq!(container.section("two").unwrap(), b"");
        assert_eq!(container.section("three").unwrap(), &[7; 1000]);
        assert_eq!(container.section("three").unwrap().as_ptr() as usize % 64, 0);
        assert!(container.section("four").unwrap_err().to_string().contains("\"four\""));
        let container = container.into_memory().unwrap();
        container.verify().unwrap();
        assert_eq!(container.section("one").unwrap(), b"abcdef");
    }

    #[test]
    fn another_kind_and_another_version_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let path = written(directory.path());
        assert!(message(&path, Kind { name: "vocab", ..KIND }).contains("a headway test file"));
        assert!(message(&path, Kind { version: 2, ..KIND }).contains("upgrade headway"));
        assert!(message(&path, Kind { version: 4, ..KIND }).contains("older headway"));
        std::fs::write(&path, "\\data\\\n").unwrap();
        assert!(message(&path, KIND).contains("not a headway test file"));
        std::fs::write(&path, "").unwrap();
        assert!(message(&path, KIND).contains("not a headway test file"));
    }

    proptest! {
        #[test]
        fn damage_is_found(cut in 0_usize..1500, flip in 0_usize..1500, bit in 0_u8..8) {
            let directory = tempfile::tempdir().unwrap();
            let path = written(directory.path());
            let whole = std::fs::read(&path).unwrap();
            std::fs::write(&path, &whole[..cut % whole.len()]).unwrap();
            prop_assert!(Container::open(&path, KIND).is_err());
            let mut flipped = whole.clone();
            let place = flip % whole.len();
            flipped[place] ^= 1 << bit;
            std::fs::write(&path, &flipped).unwrap();
            // Padding between sections is not covered; nobody reads it.
            let read = Container::open(&path, KIND).and_then(|file| {
                file.verify()?;
                Ok((file.section("one")?.to_vec(), file.section("three")?.to_vec()))
            });
            if let Ok(content) = read {
                prop_assert_eq!(content, (b"abcdef".to_vec(), vec![7; 1000]));
            }
        }
    }
}
