internal import SignetArchive
public import SignetCrypto

/// Whether a file is meant as a module, before anything of it has been verified.
///
/// It decides only which kind of statement is made, or asked for. A guess that is wrong refuses: a statement of the one
/// kind never passes for the other.
public enum ModuleGuess {
  /// Bytes at the end of a damaged ZIP that are searched: some thousand records of a central directory.
  private static let tailSize = 1 << 20

  /// Whether a file that is to be signed has a `module.json` at its root.
  ///
  /// - Throws: what a ZIP with a `module.json` breaks that is not strict: it must not be signed as something else without
  ///   a word; `file.changed`, `file.read-failed`.
  public static func isModule(toSign artifact: Artifact) throws(SignetError) -> Bool {
    let source = try artifact.source()
    guard let format = try format(of: source) else { return false }
    do throws(SignetError) {
      let opened = try ArchiveFile(source, limits: ArchiveLimits()).open()
      return opened.entries.contains { $0.path.isExactly(ModuleDescription.path) }
    } catch {
      if error.isAboutReading { throw error }
      guard format == .zip, try looksLikeModule(source) else { return false }
      throw error
    }
  }

  /// Whether a file that is to be verified is a module: a ZIP with a signing block or a `module.json`, or a tar whose
  /// bundle says so.
  ///
  /// - Throws: `file.changed`, `file.read-failed`.
  public static func isModule(
    toVerify artifact: Artifact, signatures: SignatureSource
  ) throws(SignetError) -> Bool {
    let source = try artifact.source()
    guard let format = try format(of: source) else { return false }
    if format == .zip, try looksLikeModule(source) { return true }
    guard let bundles = try? signatures.open(for: source.path) else { return false }
    return bundles.contains { encoded in
      guard let bundle = try? encoded.bundle() else { return false }
      return (try? Statement(payload: bundle.envelope.payload))?.module != nil
    }
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
