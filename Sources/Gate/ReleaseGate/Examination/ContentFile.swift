package import SignetBase
package import SignetCrypto
package import SignetELF
package import SignetSystem

/// A file whose content the rules look at: one in an archive or in a directory, or an artifact that is neither.
package struct ContentFile: Sendable {
  /// The path in the archive or directory; nil for the artifact itself.
  package let entry: String?
  /// The size in bytes.
  package let size: Int
  /// The permission bits, with set-user-ID, set-group-ID and the sticky bit where they are known.
  package let mode: UInt32
  /// The first bytes, at most ``headSize`` of them.
  package let head: [UInt8]
  /// All bytes, if rules may want them: for binaries, and for files of at most ``smallSize`` bytes.
  package let source: (any ByteSource)?
  /// The folders of the package of Linux that it is in; nil if it is in none.
  package let package: PackageFolders?
  /// The SHA-256 of all bytes, if a rule wants it.
  package let sha256: Digest?
  /// The number of its reading among all of an artifact, which its matches have, too.
  package let reading: Int

  /// How many of the first bytes are kept.
  package static let headSize = 4096
  /// The size up to which a file's bytes are at hand, whatever it is. Key files are not larger.
  package static let smallSize = 64 << 10
  private static let elfMagic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]

  /// Whether it is a binary in the ELF format, by its first bytes. Its ``source`` is at hand.
  package var isELF: Bool { Self.isELF(head) }

  /// What a binary says about itself; nil for any other file. It is read once, for the first rule that asks.
  ///
  /// It is a failure with `elf.malformed` for a damaged binary, and one with `file.…` if the bytes cannot be read.
  package var binary: Result<ELFProfile, SignetError>? { sharedProfile?.result }

  private let sharedProfile: SharedProfile?

  static func isELF(_ head: [UInt8]) -> Bool { head.starts(with: elfMagic) }

  package init(
    entry: String?, size: Int, mode: UInt32, head: [UInt8], source: (any ByteSource)?, package: PackageFolders? = nil,
    sha256: Digest? = nil, reading: Int
  ) {
    self.reading = reading
    self.entry = entry
    self.size = size
    self.mode = mode
    self.head = head
    self.source = source
    self.package = package
    self.sha256 = sha256
    sharedProfile = Self.isELF(head) ? SharedProfile(of: entry, source) : nil
  }
}

/// The profile of a binary that all rules share, whichever thread they run on.
private final class SharedProfile: Sendable {
  private let entry: String?
  private let source: (any ByteSource)?
  private let state = Monitor<Result<ELFProfile, SignetError>?>(nil)

  init(of entry: String?, _ source: (any ByteSource)?) {
    self.entry = entry
    self.source = source
  }

  var result: Result<ELFProfile, SignetError> {
    state.withLock { result in
      if let result { return result }
      let made = make()
      result = made
      return made
    }
  }

  private func make() -> Result<ELFProfile, SignetError> {
    guard let source else {
      // Nothing passes for want of looking.
      return .failure(SignetError(.fileUnreadable, entry ?? "file", "is a binary whose bytes are not at hand"))
    }
    return Result { () throws(SignetError) in try ELFProfile(source, path: entry ?? source.path) }
  }
}

/// A place in a file's content where one of a rule's literals was found.
package struct ContentMatch: Sendable {
  /// The path in the archive or directory; nil for the artifact itself.
  package let entry: String?
  /// Whether the file is a binary in the ELF format, by its first bytes.
  package let isELF: Bool
  /// The index of the literal in the rule's list.
  package private(set) var literal: Int
  /// The offset of the literal's first byte in the file.
  package private(set) var offset: Int
  /// The offset in what was searched, which may be only parts of the file.
  package let position: Int
  /// The bytes before the literal, ``beforeSize`` unless the rule wants others; fewer at the beginning of the file.
  package private(set) var before: [UInt8]
  /// The bytes from the literal's first byte on, ``afterSize`` unless the rule wants others; fewer at the end of the
  /// file.
  package private(set) var after: [UInt8]
  /// How far the bytes around the literal go.
  package let extent: Extent
  /// The number of the reading among all of an artifact: several files may have one name.
  package let reading: Int

  /// How many bytes before a literal a rule usually gets.
  package static let beforeSize = 64
  /// How many bytes from a literal's beginning on a rule usually gets.
  package static let afterSize = 512

  /// How far the bytes go that a rule gets.
  package enum Extent: Int, Sendable, Comparable, CaseIterable {
    case near
    /// No more than that, for a rule that has asked to look once more in another way. It takes time, and is counted.
    case small
    case again
    /// More than that.
    case far
    /// As far as it gets: what it still asks for then is named.
    case farthest

    package static func < (first: Extent, second: Extent) -> Bool { first.rawValue < second.rawValue }
  }

  /// How many bytes around a literal a rule gets.
  package struct Reach: Sendable {
    /// From the literal's first byte on, in `after`.
    package typealias Size = (before: Int, after: Int)

    package let near: Size
    /// How many it gets if it asks for more, and if it asks again; empty if it does not.
    package let more: [Size]

    package static let usual = Reach(near: (beforeSize, afterSize), more: [])
    /// For structures whose parts can be in any order, and of which one mark in 2048 bytes is looked at. The far parts are
    /// behind a chain of some certificates, and the farthest ones behind several.
    package static let wide = Reach(
      near: (2048, 4096), more: [(384, 768), (2048, 4096), (8 << 10, 16 << 10), (32 << 10, 32 << 10)])

    /// The most that it gets.
    var most: Size { more.last ?? near }

    /// The extent of each size that a rule gets after the first one.
    var further: Zip2Sequence<ArraySlice<Extent>, [Size]> { zip(Extent.allCases.dropFirst(), more) }
  }

  /// What a rule says once it has looked at a place.
  package enum Answer: Sendable, Equatable {
    case done
    /// It wants to look again, with as many bytes around the place.
    case wants(Extent)
  }

  package init(
    entry: String?, isELF: Bool, literal: Int, position: Int, before: [UInt8], after: [UInt8],
    extent: Extent = .near, reading: Int
  ) {
    self.reading = reading
    self.entry = entry
    self.isELF = isELF
    self.literal = literal
    self.position = position
    self.before = before
    self.after = after
    self.extent = extent
    offset = position
  }

  /// The same as one of a rule's own literals.
  ///
  /// - Parameter offset: where it is in the file, if only parts of that were searched.
  func owned(as literal: Int, at offset: Int?) -> ContentMatch {
    var own = self
    own.literal = literal
    own.offset = offset ?? self.offset
    return own
  }

  /// The same with other bytes around it, and an offset that counts from it.
  func revealed(before: [UInt8], after: [UInt8]) -> ContentMatch {
    var plain = self
    (plain.before, plain.after, plain.offset) = (before, after, 0)
    return plain
  }
}
