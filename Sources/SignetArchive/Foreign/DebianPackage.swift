internal import SignetBase
internal import SignetSystem

/// A Debian package (deb(5)): an `ar` archive whose first member says so. The files that it would install are packed;
/// they are in a compressed tar inside it.
enum DebianPackage {
  /// The tar with the package's files, decompressed.
  ///
  /// - Parameter folder: the folder whose file system holds the tar.
  /// - Returns: nil if the archive is not a Debian package.
  /// - Throws: `archive.…`, `extraction.failed`, and what reading throws.
  static func tar(
    of source: any ByteSource, _ limits: ArchiveLimits, snapshotsIn folder: String
  ) throws(SignetError) -> RegularFile? {
    let reader = try ForeignReader(source, .ar)
    guard let first = try reader.next(), first.path.elementsEqual("debian-binary".utf8) else { return nil }
    while let member = try reader.next() {
      let name = String(decoding: member.path, as: UTF8.self)
      guard member.kind == .file, name.isExactly("data.tar") || name.utf8.starts(with: "data.tar.".utf8) else {
        continue
      }
      let spool = try ForeignSpool(in: folder, of: source.path, limits)
      _ = try spool.take(member, name, from: reader)
      let data = try spool.finish()
      let tar = try ForeignCompression.removed(from: data, limits, snapshotsIn: folder) ?? data
      guard try ForeignFormat(of: tar) == .tar else { throw Self.damaged(source, "has \(name), which is not a tar") }
      return tar
    }
    throw damaged(source, "has no files: there is no data.tar in it")
  }

  private static func damaged(_ source: any ByteSource, _ message: String) -> SignetError {
    SignetError(
      .archiveData, source.path, "is a Debian package that \(message)",
      expected: "a member data.tar, compressed or not", hint: "build the package anew")
  }
}
