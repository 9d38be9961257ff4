/// A local header of a ZIP (APPNOTE 4.3.7) that is somewhere in a file, without a central directory that leads to it.
///
/// 7-Zip and other programs that repair what is damaged unpack an entry by this header alone, wherever it is.
package struct LooseHeader: Sendable, Equatable {
  /// What each of them begins with.
  package static let mark = Array("PK".utf8) + [0x03, 0x04]
  /// The number of bytes before the name.
  package static let size = ZIPHeader.localSize
  /// The number of bytes up to the end of the longest name.
  package static let mostWithName = size + 0xffff

  private static let isEncrypted = 0x0001
  /// What some program unpacks: all methods that APPNOTE 4.4.5 names and that were ever used, and AES.
  private static let methods: Set<Int> = [
    0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 14, 16, 18, 19, 20, 93, 94, 95, 96, 97, 98, 99,
  ]

  private let flags: Int
  private let method: Int
  private let checksum: Int
  private let storedSize: Int
  private let contentSize: Int
  /// The bytes of the name, as far as they are there.
  private let name: ArraySlice<UInt8>
  /// Where the data begin, from the mark on.
  package let dataOffset: Int

  /// - Parameter bytes: the mark, and what follows it.
  /// - Returns: nil for bytes from which no program unpacks anything: a mark of four bytes is also in the code of programs
  ///   that look for it.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= Self.size, bytes.starts(with: Self.mark) else { return nil }
    let fixed = ZIPBytes(Array(bytes.prefix(Self.size)))
    flags = fixed.u16(6)
    method = fixed.u16(8)
    checksum = fixed.u32(14)
    storedSize = fixed.u32(18)
    contentSize = fixed.u32(22)
    dataOffset = Self.size + fixed.u16(26) + fixed.u16(28)
    name = bytes.dropFirst(Self.size).prefix(fixed.u16(26))
    // A directory has no content. NULs may be behind a name, and not in it.
    let text = name.prefix { $0 != 0 }
    guard Self.methods.contains(method), text.last != UInt8(ascii: "/"),
      name[text.endIndex...].allSatisfy({ $0 == 0 })
    else { return nil }
    guard !isStored || isLate || contentSize > 0 else { return nil }
  }

  package var isStored: Bool { method == 0 && flags & Self.isEncrypted == 0 }

  /// Whether the sizes are behind the data.
  private var isLate: Bool { flags & ZIPHeader.dataDescriptor != 0 }

  /// Where the data end, from the mark on; nil if the header does not say it.
  package var end: Int? { isLate || storedSize == ZIPMarker.long ? nil : dataOffset + storedSize }

  /// Whether a program has written the header, and not chance: its name is a text, or its numbers fit. Any other one counts
  /// only if something can be decompressed behind it. What is stored is searched as it is in the file, whatever this says.
  ///
  /// - Parameter room: the number of bytes from the mark to the end of the file.
  package func isCertain(within room: Int) -> Bool {
    if !name.isEmpty, !name.contains(where: { $0 < 0x20 || $0 == 0x7f }) { return true }
    let sizes = [storedSize, contentSize]
    if isLate, checksum == 0, sizes == [0, 0] { return true }
    return sizes.allSatisfy { $0 > 0 } && sizes.contains { $0 == ZIPMarker.long || $0 <= room - dataOffset }
  }
}
