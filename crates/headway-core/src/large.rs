//! Tables that are read at random places, on pages as large as the system has them.
//!
//! With pages of 4 kB the processor looks up the page of nearly every read of such a table; that
//! costs as much as the read itself, and more in a virtual machine.

/// A table of so many equal values.
pub fn table<T: Clone>(count: usize, value: T) -> Vec<T> {
    let mut table = with_room(count);
    table.resize(count, value);
    table
}

/// An empty vector with room for so many values.
pub fn with_room<T>(count: usize) -> Vec<T> {
    let room = Vec::with_capacity(count);
    prefer_large_pages(&room);
    room
}

/// Asks for large pages for the room of a vector, before it is written to. Nothing depends on
/// the answer.
#[cfg(target_os = "linux")]
fn prefer_large_pages<T>(room: &Vec<T>) {
    const PAGE: usize = 4096;
    let bytes = room.capacity() * size_of::<T>();
    let start = room.as_ptr().addr().next_multiple_of(PAGE);
    let end = (room.as_ptr().addr() + bytes) / PAGE * PAGE;
    if start < end {
        let at = room.as_ptr().cast_mut().cast::<libc::c_void>().with_addr(start);
        // SAFETY: the pages from `start` to `end` lie wholly within the vector's allocation, and
        // this advice does not change what they contain.
        unsafe { libc::madvise(at, end - start, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn prefer_large_pages<T>(_room: &Vec<T>) {}

#[cfg(test)]
mod tests {
    #[test]
    fn tables_are_vectors_of_any_size() {
        for count in [0, 1, 5000, 3 << 20] {
            assert!(super::table(count, 7_u8) == vec![7; count]);
            assert!(super::with_room::<u64>(count).capacity() >= count);
        }
    }
}
