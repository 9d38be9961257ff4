internal import SignetArchive
public import SignetBase
internal import SignetCrypto
internal import SignetModules
internal import SignetSystem
public import SignetVerify

/// An archive that is to be signed as a module.
///
/// It is opened once, so that what was found to be a module is what is signed.
public struct ModuleToSign: Sendable {
  package let artifact: Artifact
  let archive: ArchiveFile
  let opened: OpenedArchive

  /// Opens an archive that is to be signed.
  ///
  /// - Throws: `archive.…`, `path.…`, `signature.malformed` for a damaged signing block, `extraction.failed`,
  ///   `file.…`.
  public init(_ artifact: Artifact) throws(SignetError) {
    self.artifact = artifact
    archive = try ArchiveFile(artifact.source(), limits: ArchiveLimits())
    opened = try archive.open()
  }

  /// Checks that the description can be that of a module.
  ///
  /// - Throws: `module.malformed`, `module.unknown-field`, `path.…`, and what reading it throws.
  public func checkDescription() throws(SignetError) { _ = try opened.uncheckedDescription() }

  fileprivate var hasDescription: Bool { opened.entries.contains { $0.path.isExactly(ModuleDescription.path) } }
}

extension Artifact {
  /// The module to sign, if the file is meant as a module: if it has a `module.json` at its root.
  ///
  /// A file that has a `module.json` but cannot be a module is refused. Signed as a plain file it would have no
  /// sequence and no floor, and its publisher would not know. For this reason, other archives are examined too: GNU
  /// tars, tars with compressions that are not read, and ZIPs with bytes before them.
  ///
  /// - Returns: nil for a file without a `module.json`.
  /// - Throws: what is wrong with an archive that has a `module.json` and is not strict, `archive.format` if it is of
  ///   another kind; `extraction.failed`, `file.…`.
  public func moduleToSign() throws(SignetError) -> ModuleToSign? {
    let source = try source()
    let refusal: SignetError
    do throws(SignetError) {
      let module = try ModuleToSign(self)
      return module.hasDescription ? module : nil
    } catch {
      if error.isAboutReading { throw error }
      refusal = error
    }
    let format = try UnverifiedLook.format(of: source)
    if format == .zip {
      guard try UnverifiedLook.looksLikeModule(source) else { return nil }
      throw refusal
    }
    if try LenientTar.lists(ModuleDescription.path, in: source) {
      guard format == nil else { throw refusal }
      throw Self.noModule(
        "a tar of a form that modules do not have", "make a module of it: signet pack --from ARCHIVE --out NEW.zip")
    }
    guard try Self.isHiddenModule(source) else { return nil }
    throw Self.noModule("a ZIP with bytes before it", "make a module of it: signet pack --from ARCHIVE --out NEW.zip")
  }

  private static func noModule(_ found: String, _ hint: String) -> SignetError {
    SignetError(
      .archiveFormat, "archive",
      "has a \(ModuleDescription.path) at its root, but its format is not allowed for modules",
      expected: "a strict ZIP, or a tar as it is or compressed by gzip, xz or Zstandard", found: found, hint: hint)
  }

  /// Whether a file that does not begin like a ZIP ends like one that has a `module.json`.
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
}
