internal import SignetArchive
internal import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// What a file can be by its looks, before anything of it has been verified.
///
/// This is all that is parsed of a file before a signature was found to be good: its first bytes, and of a ZIP its end
/// records, its central directory, the header of its first entry and its signing block. Nothing is expanded, and no bundle
/// is looked at: a stranger's would have its say.
/// It decides only which kinds of statement will do. A look that is wrong refuses: a statement of the one kind never
/// passes for the other.
enum UnverifiedLook {
  /// No archive: it can only be a file.
  case file
  /// A ZIP with a signing block, or with a `module.json` in its central directory: it is taken for nothing else.
  case module(ArchiveFile)
  /// The same, and it breaks the rules for archives.
  case damagedModule(SignetError)
  /// Another archive: its statement says.
  case archive(ArchiveFile)
  /// The same, and it breaks the rules for archives.
  case damagedArchive(SignetError)

  /// Looks at a file that is to be verified.
  ///
  /// - Throws: `file.is-directory`, `file.changed`, `file.read-failed`.
  init(at source: any ByteSource, _ limits: ArchiveLimits) throws(SignetError) {
    guard let format = try Self.format(of: source) else {
      self = .file
      return
    }
    do throws(SignetError) {
      let archive = try ArchiveFile(source, limits: limits)
      let isModule = archive.block != nil || archive.lists(ModuleDescription.path)
      self = isModule ? .module(archive) : .archive(archive)
    } catch {
      if error.isAboutReading { throw error }
      let isModule = format == .zip ? try Self.looksLikeModule(source) : false
      self = isModule ? .damagedModule(error) : .damagedArchive(error)
    }
  }

  /// Bytes at the end of a damaged ZIP that are searched: some thousand records of a central directory.
  private static let tailSize = 1 << 20

  /// The kind of archive that the first bytes tell; nil for none.
  static func format(of source: any ByteSource) throws(SignetError) -> ArchiveFormat? {
    ArchiveFile.format(try source.bytes(in: 0..<min(source.size, ArchiveFile.magicSize)))
  }

  /// Whether a ZIP that breaks the rules has a signing block, or a record of `module.json` in its central directory.
  static func looksLikeModule(_ source: any ByteSource) throws(SignetError) -> Bool {
    do throws(SignetError) {
      // Its limits may be wider than those that it has broken.
      let archive = try ArchiveFile(source, limits: ArchiveLimits())
      return archive.block != nil || archive.lists(ModuleDescription.path)
    } catch {
      if error.isAboutReading { throw error }
      if error.code == .signatureMalformed { return true }
    }
    let tail = try source.bytes(in: max(0, source.size - tailSize)..<source.size)
    return ZIPArchive.lists(ModuleDescription.path, in: tail) || SigningBlock.hasMagic(tail)
  }
}
