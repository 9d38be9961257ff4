internal import SignetArchive
internal import SignetNames
internal import SignetSystem

/// Files and folders that are known by their names, wherever they are: in an archive, in a directory that is signed as
/// a whole, or among the files of a release.
struct NamedPlaces {
  /// A file or folder with such a name.
  struct Place {
    /// Its path.
    let path: String
    /// What the name means.
    let words: String
    /// The path at which it was found: the first of a file in it, or else its own.
    fileprivate(set) var first: String
    fileprivate var isFirstAFolder: Bool
  }

  /// Says what a name means; nil if nothing is wrong with it.
  typealias Meaning = (_ name: [UInt8], _ isFolder: Bool) -> String?

  private(set) var all: [Place] = []
  private let meaning: Meaning
  private var known: [[UInt8]: Int] = [:]

  /// The places in an archive or a directory.
  ///
  /// - Parameter meaning: gets each name with its letters in lower case.
  static func of(_ contents: ArtifactContents, _ meaning: @escaping Meaning) -> [Place] {
    var places = NamedPlaces(meaning: meaning)
    for entry in contents.entries { places.look(at: entry.path, isFolder: entry.content == .directory) }
    return places.all
  }

  /// The places among the files of a release that are published as they are. Those below a directory that is signed as
  /// a whole are its contents.
  static func of(_ release: ExaminedRelease, _ meaning: @escaping Meaning) -> [Place] {
    var places = NamedPlaces(meaning: meaning)
    for file in release.files.files {
      switch file.role {
      case .artifact, .directory, .link, .folder: places.look(at: file.path, isFolder: file.kind == .directory)
      // The file that has a meaning is the one that they are about.
      case .bundle, .attestation: break
      case .excluded, .part: break
      }
    }
    return places.all
  }

  private init(meaning: @escaping Meaning) { self.meaning = meaning }

  /// Looks at the names of a path from the first on. What is in a folder that is found is not looked at.
  private mutating func look(at path: String, isFolder: Bool) {
    let bytes = Array(path.utf8)
    let names = bytes.split(separator: UInt8(ascii: "/"))
    for (index, name) in names.enumerated() {
      let isLast = index == names.count - 1
      guard let words = meaning(name.map(Self.lower), !isLast || isFolder) else { continue }
      let place = Array(bytes[..<name.endIndex])
      if let index = known[place] {
        guard all[index].isFirstAFolder, !isFolder else { return }
        all[index].first = path
        all[index].isFirstAFolder = false
      } else {
        known[place] = all.count
        let place = String(decoding: place, as: UTF8.self)
        all.append(Place(path: place, words: words, first: path, isFirstAFolder: isFolder))
      }
      return
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
