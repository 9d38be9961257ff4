/// Memory that was in use a moment ago.
///
/// A virtual machine whose host takes back what is free needs four times as long for a page that was not used lately, and that is not what is
/// to be measured.
enum UsedMemory {
  private static let pageSize = 4096

  /// Uses so many bytes, and gives them back.
  static func use(_ count: Int) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: pageSize)
    for offset in stride(from: 0, to: count, by: pageSize) { unsafe buffer[offset] = 1 }
    unsafe buffer.deallocate()
  }
}
