internal import SignetArchive
package import SignetBase
internal import SignetCrypto
package import SignetSystem
package import SignetVerify

/// The archive of a module's sources: files below one folder, `source`, with the module's description (docs/spec.md).
///
/// Because of the folder it has no `module.json` at its root. So it is no module, and nothing installs it as one. It has
/// no links: the folder is moved once it is unpacked, and a link could then lead out of it.
package struct SourceArchive {
  /// The folder that everything is in.
  package static let folder = "source"

  private let archive: ArchiveFile
  private let opened: OpenedArchive
  private let file: RegularFile
  private let limits: ArchiveLimits
  /// The archive's format.
  package var format: ArchiveFormat { archive.format }
  /// The description of the module that the sources are of.
  package let module: ModuleDescription

  /// Opens an archive.
  ///
  /// - Throws: `source.malformed`, whose cause says why the file is no archive of sources; `extraction.failed`, `file.…`.
  package init(_ file: RegularFile, limits: ArchiveLimits = ArchiveLimits()) throws(SignetError) {
    self.file = file
    self.limits = limits
    do throws(SignetError) {
      archive = try ArchiveFile(file, limits: limits)
      opened = try archive.open()
      try Self.check(opened.entries)
      let path = "\(Self.folder)/\(ModuleDescription.path)"
      guard let entry = opened.entries.first(where: { $0.path.isExactly(path) }) else {
        throw SignetError(.moduleMissingFile, path, "is missing")
      }
      module = try ModuleDescription(json: opened.bytes(of: entry, limit: JSONLimits.moduleDescription.size))
    } catch {
      if error.isAboutReading { throw error }
      throw SignetError(
        .sourceMalformed, file.path, "is not an archive of a module's sources",
        expected: "files below \(Self.folder), with \(ModuleDescription.path)", cause: error,
        hint: "make it: signet release SPEC --key KEY")
    }
  }

  private static func check(_ entries: [ArchiveEntry]) throws(SignetError) {
    for entry in entries {
      let isFolder = entry.content == .directory && entry.path.isExactly(folder)
      guard isFolder || entry.path.utf8.starts(with: "\(folder)/".utf8) else {
        throw SignetError(
          .sourceMalformed, entry.path, "is outside of the folder", expected: "a path below \(folder)")
      }
      if case .symbolicLink(let target) = entry.content {
        throw SignetError(.sourceMalformed, entry.path, "is a link", expected: "files and folders", found: target)
      }
    }
  }

  /// The bytes of the one file directly in the folder whose name has an ending; nil if there is none, or several.
  ///
  /// - Parameter limit: the most bytes that the file may have.
  /// - Throws: `archive.…`, `extraction.failed`, `file.…`.
  package func bytes(ofFileEndingIn ending: String, limit: Int) throws(SignetError) -> [UInt8]? {
    let start = Array("\(Self.folder)/".utf8)
    let found = opened.entries.filter { entry in
      let name = entry.path.utf8.dropFirst(start.count)
      return name.reversed().starts(with: ending.utf8.reversed()) && !name.contains(UInt8(ascii: "/"))
    }
    guard let entry = found.first, found.count == 1 else { return nil }
    return try opened.bytes(of: entry, limit: limit)
  }

  /// Checks that the sources are those of a release.
  ///
  /// - Throws: `source.other-module`.
  package func check(of release: ModuleDescription) throws(SignetError) {
    func words(_ module: ModuleDescription) -> String {
      "\(module.identifier) \(module.version), sequence \(module.sequence)"
    }
    guard words(module).isExactly(words(release)) else {
      throw SignetError(
        .sourceOtherModule, file.path, "has the sources of another release", expected: words(release),
        found: words(module), hint: "name the source archive that was made with the module")
    }
  }

  /// Unpacks everything into an empty directory: the folder `source`.
  ///
  /// The bytes must have been verified before: what is unpacked is what the file has.
  ///
  /// - Throws: what `Extraction.extract` throws; `file.changed`.
  package func unpack(into directory: Directory) throws(SignetError) {
    let (_, digests) = try ArchiveHasher.digests(archive, opened, progress: nil)
    var expected: [ExpectedEntry] = []
    for (entry, digest) in zip(opened.entries, digests) {
      switch (entry.content, digest) {
      case (.file(let size), let digest?):
        expected.append(
          ExpectedEntry(path: entry.path, content: .file(size: size, sha256: digest, mode: entry.mode.unpacked)))
      case (.directory, _): expected.append(ExpectedEntry(path: entry.path, content: .directory))
      default: throw SignetError(.fileReadFailed, entry.path, "was not read")
      }
    }
    try Extraction.extract(expected, from: opened, into: directory, limits: limits)
    try file.checkUnchanged()
  }
}
