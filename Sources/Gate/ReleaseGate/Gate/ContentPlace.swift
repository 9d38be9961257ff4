internal import SignetArchive
internal import SignetBase
internal import SignetNames

/// Where a file is in an artifact: in it, or in archives within it.
struct ContentPlace {
  /// The names of the archives and of the file, with `!` between them; nil for the artifact itself.
  let entry: String?
  /// The permission bits, with set-user-ID, set-group-ID and the sticky bit where they are known.
  let mode: UInt32
  /// In how many archives it is, one in another.
  var depth = 0
  /// How many compressions were removed since the last archive.
  var layers = 0
  /// Whether it is part of a package of Linux, whose files are unpacked at the root of a file system.
  var isPackage = false
  /// The folders of that package.
  var package: PackageFolders?
  /// The links of the parts before it, if it is a part of an initial RAM disk that is behind others.
  var disk: RootLinks?

  /// The place of a file in the archive that is here.
  func inside(_ path: String, mode: UInt32) -> ContentPlace {
    // Somebody else unpacks an archive that is in a RAM disk.
    ContentPlace(
      entry: entry.map { "\($0)!\(path)" } ?? path, mode: mode, depth: depth + 1, isPackage: isPackage && disk == nil,
      package: package)
  }

  /// The place of what the file here decompresses to.
  func decompressed() -> ContentPlace {
    var place = self
    place.layers += 1
    return place
  }

  /// The name of an entry of the archive that is here.
  func name(of path: String) -> String { entry.map { "\($0)!\(path)" } ?? path }
}

extension SearchBudget {
  /// Why a container is not looked into; nil if it is.
  ///
  /// - Parameter name: the container's name in messages.
  func reasonNotToLook(into format: ContainerFormat, at place: ContentPlace, called name: String) -> SignetError? {
    if case .unsupported(let words) = format {
      return SignetError(.archiveFilter, name, "is \(words), which the gate does not look into")
    }
    let isCompressed = if case .compressed = format { true } else { false }
    if place.depth > Self.depth || isCompressed && place.layers >= Self.layers {
      return SignetError(
        .archiveEntryCount, name, "is in too many archives, one in another", expected: "at most \(Self.depth)")
    }
    return isSpent ? SignetError(.archiveRatio, name, "lies behind the bytes to which the artifact may expand") : nil
  }
}
