internal import SignetBase
internal import SignetCrypto

/// A checksum of a file, as a list of a release states it.
struct StatedChecksum: Sendable {
  /// The file's name, as the list has it.
  let name: String
  /// Other names that the line may mean. The first one that the release has is meant.
  var before: [String] = []
  let digest: [UInt8]
  /// The number of the line, from 1 on.
  let line: Int
  /// What a table says in the line, if the release has no file with any of the names; one at most.
  var instead: [StatedChecksum] = []
  /// Whether the file may be outside of the release: the list has its address.
  var mayBeElsewhere = false
  /// Whether the name may be another one, or is missing. If the release has no such file, any of its files may be meant.
  var isNameUnsure = false
  var function = Function.unnamed
  /// How the file was read, if the first character of the name may say it.
  var mode: Mode?

  init(
    name: String, before: [String] = [], digest: [UInt8], line: Int, mayBeElsewhere: Bool = false,
    isNameUnsure: Bool = false, function: Function = .unnamed, mode: Mode? = nil
  ) {
    (self.name, self.before, self.digest, self.line) = (name, before, digest, line)
    (self.mayBeElsewhere, self.isNameUnsure) = (mayBeElsewhere, isNameUnsure)
    (self.function, self.mode) = (function, mode)
  }

  init(
    name: String, before: [String] = [], digest: Digest, line: Int, mayBeElsewhere: Bool = false,
    isNameUnsure: Bool = false, function: Function = .unnamed, mode: Mode? = nil
  ) {
    self.init(
      name: name, before: before, digest: digest.bytes, line: line, mayBeElsewhere: mayBeElsewhere,
      isNameUnsure: isNameUnsure, function: function, mode: mode)
  }

  /// The digest as one of SHA-2; nil if none of them has as many bytes.
  var asSHA2: Digest? {
    DigestAlgorithm.allCases.first { $0.byteCount == digest.count }.flatMap {
      Digest($0, hex: Hexadecimal.encode(digest))
    }
  }

  /// How `shasum` has read a file. Its character is where other programs may have the first one of a name.
  enum Mode: UInt8 {
    /// With one character at the end of a line, whichever it has (`--UNIVERSAL`).
    case universal = 0x55
    /// As a text of bits (`--01`), `^`.
    case bits = 0x5e
  }

  /// What the line says about the function with which the digest was made.
  enum Function {
    /// One of SHA-2, which the length tells.
    case sha2
    /// Another one that has digests as long.
    case other
    /// Nothing. Then the list may have a name that says it.
    case unnamed
  }
}

/// What a list states.
struct ChecksumStatements: Sendable {
  var stated: [StatedChecksum] = []
  /// The lines that have a checksum which cannot be compared, each with what is there.
  var unread: [(line: Int, found: String)] = []
  /// The lines that were read, whatever they state.
  var lines: Set<Int> = []
  /// What tables say in lines that other programs read in their own way, by the number of the line.
  var tables: [Int: StatedChecksum] = [:]
}
