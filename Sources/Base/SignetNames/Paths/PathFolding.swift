@_spi(_Unicode) import Swift

/// A path in the form that case-insensitive file systems compare: two paths with the same form are one file on some
/// systems.
package struct FoldedPath: Hashable, Sendable {
  fileprivate let bytes: [UInt8]

  fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The folded path of the directory that the path lies in; nil at the top.
  package var parent: FoldedPath? {
    bytes.lastIndex(of: UInt8(ascii: "/")).map { FoldedPath(Array(bytes[..<$0])) }
  }
}

/// Folds paths, and remembers the result for each character: Unicode's tables are slow, and lists have many paths.
///
/// Each character is replaced by its lower case, that by its upper case, and that by its lower case (the full mappings
/// of Unicode's SpecialCasing.txt). Characters with the same upper case, lower case or case folding (CaseFolding.txt, C
/// and F) are then equal: `ẞ`, `ß` and `ss`, although upper and lower case alone keep `ẞ` apart. So folding covers
/// NTFS, which compares simple upper case; APFS and HFS+; and ext4, which compares full case folding in form D. ext4
/// leaves out the characters that are ignored by default (Unicode's Default_Ignorable_Code_Point), and HFS+ leaves out
/// some of them.
package struct PathFolding {
  /// For each character's number, its folded form if that is one character that is not a combining mark; otherwise one
  /// of the two values below. Cased letters have lower numbers than this array's size, except in a few scripts.
  private var simple = [UInt32](repeating: Self.unknown, count: 0x3000)
  private var others: [Unicode.Scalar: Others] = [:]

  private struct Others {
    let bytes: [UInt8]
    /// Whether there are combining marks in it, whose order matters.
    let hasMarks: Bool
  }

  private static let unknown: UInt32 = 0
  private static let isOther: UInt32 = .max

  package init() {}

  /// Folds a path.
  package mutating func folded(_ path: String) -> FoldedPath {
    var bytes = Array(path.utf8)
    var high: UInt8 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      high |= byte
      // A to Z, without a branch: nearly all paths are ASCII.
      bytes[index] = byte | (byte &- UInt8(ascii: "A") < 26 ? 0x20 : 0)
    }
    return high < 0x80 ? FoldedPath(bytes) : foldedScalars(of: path)
  }

  /// Folds the path of an entry, whatever the encoding of its names. A name that is not UTF-8 is like no other: what the
  /// case of its letters is depends on the encoding.
  package mutating func folded(_ name: ListedName) -> FoldedPath {
    guard !name.isUTF8 else { return folded(name.text) }
    let slash = UInt8(ascii: "/")
    let names = name.separated.split(separator: slash, omittingEmptySubsequences: false).map { part in
      let part = ListedName(Array(part))
      return part.isUTF8 ? folded(part.text).bytes : part.bytes
    }
    return FoldedPath(Array(names.joined(separator: [slash])))
  }

  private mutating func foldedScalars(of path: String) -> FoldedPath {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(path.utf8.count)
    var hasMarks = false
    for scalar in path.unicodeScalars {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        bytes.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
        continue
      }
      let index = Int(scalar.value)
      if index < simple.count {
        if simple[index] == Self.unknown { simple[index] = Self.single(scalar) }
        if let single = Unicode.Scalar(simple[index]) {
          Self.append(single, to: &bytes)
          continue
        }
      }
      let other = others[scalar] ?? Self.fold(scalar)
      others[scalar] = other
      bytes += other.bytes
      if other.hasMarks { hasMarks = true }
    }
    guard hasMarks else { return FoldedPath(bytes) }
    var ordered: [UInt8] = []
    for scalar in String(decoding: bytes, as: UTF8.self)._nfd { Self.append(scalar, to: &ordered) }
    return FoldedPath(ordered)
  }

  private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
    for byte in scalar.utf8 { bytes.append(byte) }
  }

  private static func single(_ scalar: Unicode.Scalar) -> UInt32 {
    let folded = String(decoding: fold(scalar).bytes, as: UTF8.self).unicodeScalars
    guard let first = folded.first, folded.count == 1, !isMark(first) else { return isOther }
    return first.value
  }

  private static func fold(_ scalar: Unicode.Scalar) -> Others {
    guard !scalar.properties.isDefaultIgnorableCodePoint else { return Others(bytes: [], hasMarks: false) }
    var folded = ""
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
      for upper in lower.properties.uppercaseMapping.unicodeScalars { folded += upper.properties.lowercaseMapping }
    }
    let decomposed = Array(folded._nfd)
    var bytes: [UInt8] = []
    for each in decomposed { append(each, to: &bytes) }
    return Others(bytes: bytes, hasMarks: decomposed.contains(where: isMark))
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass != .notReordered
  }
}
