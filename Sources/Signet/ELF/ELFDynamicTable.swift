internal import SignetBase
internal import SignetCrypto

/// The table that the dynamic linker works by (gABI, "Dynamic Section"; elf(5), Dyn).
struct ELFDynamicTable: Sendable {
  /// Entries at most: linkers write about thirty, and one for each needed library, of which a module declares at most 200.
  static let entryLimit = 1024
  private static let entrySize = 16

  struct Entry: Sendable {
    let tag: UInt64
    let value: UInt64
  }

  /// What stands in front of DT_NULL, in order.
  let entries: [Entry]
  /// Where the table is in the file.
  let range: Range<Int>

  /// - Throws: `elf.malformed`; `file.…` when the file cannot be read.
  init(_ segments: [ELFSegment], _ file: ELFFile) throws(SignetError) {
    guard let segment = segments.first(where: { $0.kind == .dynamic }), segment.fileSize > 0 else {
      throw file.malformed("has no dynamic table", expected: "a shared library")
    }
    guard segment.fileSize <= Self.entryLimit * Self.entrySize else {
      throw file.malformed(
        "has a dynamic table that is too long", expected: "at most \(Self.entryLimit) entries",
        found: "\(segment.fileSize) bytes")
    }
    range = segment.range
    let table = try file.bytes(at: range.lowerBound, range.count)
    var entries: [Entry] = []
    var isEnded = false
    for start in stride(from: 0, through: table.count - Self.entrySize, by: Self.entrySize) {
      let entry = Entry(tag: table.u64(start), value: table.u64(start + 8))
      if entry.tag == ELFDynamicTag.null.rawValue {
        isEnded = true
      } else if isEnded {
        throw file.malformed("has a dynamic table that goes on behind its end")
      } else {
        entries.append(entry)
      }
    }
    // The dynamic linker asks for no size: it would read on.
    guard isEnded else { throw file.malformed("has a dynamic table without an end") }
    self.entries = entries
  }

  /// The value of a tag; nil where it is absent.
  subscript(tag: ELFDynamicTag) -> UInt64? { entries.first { $0.tag == tag.rawValue }?.value }

  /// The values of a tag that may stand several times.
  func all(_ tag: ELFDynamicTag) -> [UInt64] { entries.filter { $0.tag == tag.rawValue }.map(\.value) }
}
