internal import SignetArchive
internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// The differences between a directory that is signed as a whole and the same directory of the rebuild.
///
/// Folders themselves are not compared: they show in the paths of the files.
struct FolderDifference {
  private let path: String
  private let made: ReleaseFiles
  private let rebuilt: ReleaseFiles

  /// - Parameter path: the directory's path in both.
  init(_ path: String, _ made: ReleaseFiles, _ rebuilt: ReleaseFiles) {
    self.path = path
    self.made = made
    self.rebuilt = rebuilt
  }

  /// The first differences; nil if the rebuild has nothing below the path.
  ///
  /// - Throws: what reading throws.
  func find() throws(SignetError) -> RebuildDifferences? {
    let (mine, others) = (made.files(below: path), rebuilt.files(below: path))
    guard mine.isEmpty || !others.isEmpty else { return nil }
    var found = RebuildDifferences()
    var failure: SignetError?
    forEachPair(mine, others, by: \.path) { file, other in
      guard !found.isFull, failure == nil else { return }
      do throws(SignetError) {
        try compare(file, other, &found)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return found
  }

  private func compare(
    _ file: ReleaseFile?, _ other: ReleaseFile?, _ found: inout RebuildDifferences
  ) throws(SignetError) {
    let whole = (file ?? other)?.path ?? ""
    let entry = String(decoding: whole.utf8.dropFirst(path.utf8.count + 1), as: UTF8.self)
    guard let file, let other, file.kind == .regular, other.kind == .regular else {
      return found.add(
        RebuildDifference.inProperty(
          "has another entry than the rebuild's directory", entry: entry, made: Self.words(file),
          rebuilt: Self.words(other),
          hint: RebuildHint.files))
    }
    found.add(
      RebuildDifference.inProperty(
        "has an entry of another mode than the rebuild's directory", entry: entry, made: FileMode.text(file.mode),
        rebuilt: FileMode.text(other.mode), hint: RebuildHint.packing))
    found.add(
      try RebuildDifference.inBytes(
        "has an entry with other bytes than the rebuild's directory", made.open(file), rebuilt.open(other),
        entry: entry, hint: RebuildHint.content))
  }

  /// What is at a path, in words.
  private static func words(_ file: ReleaseFile?) -> String {
    guard let file else { return "no entry" }
    return switch file.kind {
    case .regular: "file \(FileMode.text(file.mode)), \(Amount.of(file.size, "byte", "bytes"))"
    case .symbolicLink: "link to \(target(of: file))"
    case .directory: "folder"
    case .other: "a pipe, device or socket"
    }
  }

  /// Where a link leads; in hexadecimal if that is not UTF-8.
  private static func target(of link: ReleaseFile) -> String {
    let bytes = link.target ?? []
    return String(validating: bytes, as: UTF8.self)?.word ?? Hexadecimal.encode(bytes)
  }
}

extension ReleaseFiles {
  /// The files and links below a folder, sorted by the bytes of their paths.
  fileprivate func files(below folder: String) -> [ReleaseFile] {
    files[ReleasePath.range(below: folder, in: files, by: \.path)].filter { $0.kind != .directory }
  }
}
