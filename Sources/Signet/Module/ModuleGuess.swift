internal import SignetArchive
public import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// Whether a file is meant as a module, before anything of it has been verified.
///
/// It decides only which kind of statement is made, or will do. A guess that is wrong refuses: a statement of the one
/// kind never passes for the other.
public enum ModuleGuess {
  /// Bytes at the end of a damaged ZIP that are searched: some thousand records of a central directory.
  private static let tailSize = 1 << 20

  /// Whether a file that is to be signed has a `module.json` at its root.
  ///
  /// What no module can be, and yet has one, is refused: signed as a plain file it would have no sequence and no floor, and
  /// whoever publishes it would not know. So other archives are looked into, too: GNU's tars, those compressed in ways that
  /// are not read, ZIPs with something in front.
  ///
  /// - Throws: what an archive with a `module.json` breaks that is not strict, `archive.format` where it is of another kind;
  ///   `file.changed`, `file.read-failed`.
  public static func isModule(toSign artifact: Artifact) throws(SignetError) -> Bool {
    let source = try artifact.source()
    let refusal: SignetError
    do throws(SignetError) {
      let opened = try ArchiveFile(source, limits: ArchiveLimits()).open()
      return opened.entries.contains { $0.path.isExactly(ModuleDescription.path) }
    } catch {
      if error.isAboutReading { throw error }
      refusal = error
    }
    let format = try format(of: source)
    if format == .zip {
      guard try looksLikeModule(source) else { return false }
      throw refusal
    }
    if try LenientTar.lists(ModuleDescription.path, in: source) {
      guard format == nil else { throw refusal }
      throw noModule("a tar in a form that no module has", "make a module of it: signet pack --from")
    }
    guard try isHiddenModule(source) else { return false }
    throw noModule("a ZIP with something in front of it", "signet pack --from makes a module of it")
  }

  private static func noModule(_ found: String, _ hint: String) -> SignetError {
    SignetError(
      .archiveFormat, "archive", "has a \(ModuleDescription.path) at its root and is no archive that a module can be",
      expected: "a strict ZIP, or a tar as it is or compressed by gzip, xz or Zstandard", found: found, hint: hint)
  }

  /// Whether a file that does not begin like a ZIP ends like one with a `module.json`.
  private static func isHiddenModule(_ source: any ByteSource) throws(SignetError) -> Bool {
    do throws(SignetError) {
      return try LenientZIP(source, limits: ArchiveLimits()).entries.contains {
        $0.path.isExactly(ModuleDescription.path)
      }
    } catch {
      if error.isAboutReading { throw error }
      return false
    }
  }

  /// What a file that is to be verified can be, by its looks.
  enum Kind {
    /// No archive: it can only be a file.
    case file
    /// A ZIP with a signing block, or with a `module.json` in its central directory: it is taken for nothing else.
    case module
    /// Another archive: its statement says.
    case archive
  }

  /// Looks at a file that is to be verified: at its first bytes, and of a ZIP at its central directory. Nothing is
  /// expanded, and no bundle is looked at: a stranger's would have its say.
  ///
  /// - Throws: `file.changed`, `file.read-failed`.
  static func kind(of source: any ByteSource) throws(SignetError) -> Kind {
    guard let format = try format(of: source) else { return .file }
    guard format == .zip, try looksLikeModule(source) else { return .archive }
    return .module
  }

  private static func format(of source: any ByteSource) throws(SignetError) -> ArchiveFormat? {
    ArchiveFile.format(try source.bytes(in: 0..<min(source.size, ArchiveFile.magicSize)))
  }

  /// A ZIP, perhaps a damaged one, with a signing block or a record of `module.json` in its central directory.
  private static func looksLikeModule(_ source: any ByteSource) throws(SignetError) -> Bool {
    do throws(SignetError) {
      let archive = try ZIPArchive(source, limits: ArchiveLimits())
      return archive.block != nil || archive.lists(ModuleDescription.path)
    } catch {
      if error.isAboutReading { throw error }
      if error.code == .signatureMalformed { return true }
    }
    let tail = try source.bytes(in: max(0, source.size - tailSize)..<source.size)
    return ZIPArchive.lists(ModuleDescription.path, in: tail) || SigningBlock.hasMagic(tail)
  }
}
