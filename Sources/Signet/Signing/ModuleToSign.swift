internal import SignetArchive
public import SignetBase
internal import SignetCrypto
internal import SignetSystem

extension Artifact {
  /// Whether a file that is to be signed has a `module.json` at its root.
  ///
  /// What no module can be, and yet has one, is refused: signed as a plain file it would have no sequence and no floor, and
  /// whoever publishes it would not know. So other archives are looked into, too: GNU's tars, those compressed in ways that
  /// are not read, ZIPs with something in front.
  ///
  /// - Throws: what an archive with a `module.json` breaks that is not strict, `archive.format` where it is of another kind;
  ///   `file.changed`, `file.read-failed`.
  public func isMeantAsModule() throws(SignetError) -> Bool {
    let source = try source()
    let refusal: SignetError
    do throws(SignetError) {
      let opened = try ArchiveFile(source, limits: ArchiveLimits()).open()
      return opened.entries.contains { $0.path.isExactly(ModuleDescription.path) }
    } catch {
      if error.isAboutReading { throw error }
      refusal = error
    }
    let format = try UnverifiedLook.format(of: source)
    if format == .zip {
      guard try UnverifiedLook.looksLikeModule(source) else { return false }
      throw refusal
    }
    if try LenientTar.lists(ModuleDescription.path, in: source) {
      guard format == nil else { throw refusal }
      throw Self.noModule("a tar in a form that no module has", "make a module of it: signet pack --from")
    }
    guard try Self.isHiddenModule(source) else { return false }
    throw Self.noModule("a ZIP with something in front of it", "signet pack --from makes a module of it")
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
}
