internal import SignetArchive
internal import SignetBase
internal import SignetSystem
internal import SignetVerify

/// A module's archive, as the engine sees it.
struct ArchiveContent: SignedContent {
  private let archive: ArchiveFile

  init(_ archive: ArchiveFile) { self.archive = archive }

  var source: any ByteSource { archive.source }
  var signed: any ByteSource { archive.signed }
  var holdsBundles: Bool { archive.block != nil }

  package func bundles() throws(SignetError) -> [EncodedBundle] { try archive.bundles() }

  /// An archive whose structure was read.
  struct Opened: OpenedContent {
    let archive: OpenedArchive
  }

  func opened(snapshotsIn folder: String) throws(SignetError) -> any OpenedContent {
    Opened(archive: try archive.open(snapshotsIn: folder))
  }

  /// The archive that the engine has opened.
  ///
  /// - Throws: `archive.format` for what is no archive.
  static func archive(in content: any OpenedContent) throws(SignetError) -> OpenedArchive {
    guard let opened = content as? Opened else {
      throw SignetError(.archiveFormat, "artifact", "is not an archive")
    }
    return opened.archive
  }
}
