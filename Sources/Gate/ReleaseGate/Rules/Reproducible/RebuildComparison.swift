internal import SignetArchive
internal import SignetBase
internal import SignetFiles
internal import SignetNames
internal import SignetSystem

/// The comparison of one artifact with the same artifact of a second build.
///
/// Only signed bytes count: a second build has no signatures in its archives.
struct RebuildComparison {
  private let made: ReleaseFiles
  private let rebuilt: ReleaseFiles

  init(_ made: ReleaseFiles, _ rebuilt: ReleaseFiles) {
    self.made = made
    self.rebuilt = rebuilt
  }

  /// The first differences; empty if the bytes are equal.
  ///
  /// - Throws: what reading throws, and `extraction.failed`.
  func find(_ artifact: ExaminedArtifact) throws(SignetError) -> [RebuildDifference] {
    if artifact.isDirectory {
      return try FolderDifference(artifact.path, made, rebuilt).find()?.first ?? [Self.missing("nothing")]
    }
    guard let file = made.file(at: artifact.path) else {
      throw SignetError(.fileMissing, artifact.path, "is not among the files of the release any more")
    }
    guard let other = rebuilt.file(at: artifact.path) else { return [Self.missing("nothing")] }
    guard other.kind == .regular else { return [Self.missing("something that is not a file")] }
    let (source, another) = try (SignedFile(made.open(file)), SignedFile(rebuilt.open(other)))
    guard try ByteComparison.firstDifference(source.signed, another.signed) != nil else { return [] }
    let found = try source.differences(another)
    return found.isEmpty ? try source.byteDifference(another) : found
  }

  private static func missing(_ there: String) -> RebuildDifference {
    RebuildDifference(
      message: "is missing in the rebuild", expected: "the same artifact at the same path", found: there,
      hint: "make it in the second build, too, at the same path below the folder after --rebuild")
  }
}

/// A file, and what of it is signed.
private struct SignedFile {
  /// The bytes that are signed.
  let signed: any ByteSource
  /// The file as an archive; nil if it is not an archive, or cannot be read.
  private let archive: ArchiveFile?

  /// - Throws: what reading throws.
  init(_ file: RegularFile) throws(SignetError) {
    do throws(SignetError) {
      let archive = try ArchiveFile(file, limits: ArchiveLimits())
      self.archive = archive
      signed = archive.signed
    } catch {
      if Set.aboutFiles.contains(error.code) { throw error }
      archive = nil
      signed = file
    }
  }

  /// The entries; nil if the file is no archive, or one that is not sound.
  private func opened() throws(SignetError) -> OpenedArchive? {
    do throws(SignetError) {
      return try archive?.open()
    } catch {
      if Set.aboutFiles.contains(error.code) || error.code == .extractionFailed { throw error }
      return nil
    }
  }

  /// The differences of the entries, if both files are archives of the same format; empty otherwise, and if only the
  /// compression of a whole tar differs.
  func differences(_ other: SignedFile) throws(SignetError) -> [RebuildDifference] {
    guard let format = archive?.format, format == other.archive?.format, let mine = try opened(),
      let others = try other.opened()
    else { return [] }
    let found = try ArchiveDifference(mine, others).find().first
    guard found.isEmpty, format != .zip, format != .tar else { return found }
    return try byteDifference(
      other, "has the same tar as the rebuild, and only its compression differs",
      hint: "compress it with the same program, version and level, and without a time and a name")
  }

  /// The first different bytes.
  func byteDifference(
    _ other: SignedFile, _ message: String = "has other bytes than the rebuild", hint: String = RebuildHint.content
  ) throws(SignetError) -> [RebuildDifference] {
    try RebuildDifference.inBytes(message, signed, other.signed, hint: hint).map { [$0] } ?? []
  }
}
