package import SignetBase

/// The state of a log at one size, as its key signs it (C2SP's tlog-checkpoint).
package struct Checkpoint: Sendable {
  /// The name of the log, which the log chooses.
  package let origin: String
  /// The number of entries.
  package let size: UInt64
  /// The root of the tree.
  package let root: [UInt8]
  /// The signed text.
  package let note: SignedNote

  /// Reads a note with a checkpoint.
  ///
  /// - Throws: `log.note`.
  package init(_ bytes: [UInt8]) throws(SignetError) {
    note = try SignedNote(bytes)
    let lines = note.text.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // What follows are extensions, which no reader needs.
    guard lines.count >= 3, lines.allSatisfy({ !$0.isEmpty }) else {
      throw SignedNote.malformed("is no checkpoint: it has no lines with origin, size and root")
    }
    origin = String(decoding: lines[0], as: UTF8.self)
    guard let size = Self.number(lines[1]) else { throw SignedNote.malformed("is no checkpoint: it has no size") }
    self.size = size
    guard let root = try? Base64.decode(String(decoding: lines[2], as: UTF8.self)), root.count == LogTree.hashSize
    else { throw SignedNote.malformed("is no checkpoint: it has no root") }
    self.root = root
  }

  /// A number in decimal, without zeros before it, up to 2^63-1.
  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    guard (1...19).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      let value = UInt64(String(decoding: digits, as: UTF8.self)), value <= UInt64(Int64.max)
    else { return nil }
    return value
  }
}
