internal import SignetBase
internal import SignetNames
internal import SignetSystem

/// A Debian package (deb(5)): an `ar` archive whose first member says so. The files that it would install are packed;
/// they are in a compressed tar inside it.
enum DebianPackage {
  /// Whether members are those of a Debian package.
  static func isOne(_ members: [ArMember]) -> Bool {
    members.first?.name.elementsEqual("debian-binary".utf8) ?? false
  }

  /// The tar with the package's files, decompressed.
  ///
  /// - Parameter folder: the folder whose file system holds the tar.
  /// - Throws: `archive.…`, `extraction.failed`, and what reading throws.
  static func tar(
    of source: any ByteSource, _ members: [ArMember], _ limits: ArchiveLimits, snapshotsIn folder: String
  ) throws(SignetError) -> any ByteSource {
    let data = members.filter {
      $0.name.elementsEqual("data.tar".utf8) || $0.name.starts(with: "data.tar.".utf8)
    }
    guard let first = data.first else { throw damaged(source, "has no files: there is no data.tar in it") }
    guard data.count == 1 else { throw damaged(source, "has its files twice") }
    let packed = source.part(first.content, called: source.path)
    let tar = try ForeignCompression.removed(from: packed, limits, snapshotsIn: folder) ?? packed
    guard try ForeignFormat(of: tar) == .tar else {
      throw damaged(source, "has \(first.text), which is not a tar")
    }
    return tar
  }

  private static func damaged(_ source: any ByteSource, _ message: String) -> SignetError {
    SignetError(
      .archiveData, source.path, "is a Debian package that \(message)",
      expected: "a member data.tar, compressed or not", hint: "build the package anew")
  }
}
