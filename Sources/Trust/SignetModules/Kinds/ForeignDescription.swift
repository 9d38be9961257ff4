internal import SignetArchive
internal import SignetBase
internal import SignetSystem
internal import SignetVerify

/// A ZIP with a `module.json` at its root, which may be that of another system: tables for games and frameworks for web
/// pages have files of this name, too.
enum ForeignDescription {
  /// The names that every description of Signet has, and others hardly do.
  private static let names = ["identifier", "sequence"]

  /// Whether the ZIP describes a module of Signet, however badly. It is read as other programs read ZIPs.
  ///
  /// Nothing here may be trusted before the bytes were found to be signed.
  ///
  /// - Throws: what reading throws.
  static func isOfSignet(in source: any ByteSource) throws(SignetError) -> Bool {
    do throws(SignetError) {
      let entries = try LenientZIP(source, limits: ArchiveLimits()).entries
      guard let entry = entries.first(where: { $0.path.isExactly(ModuleDescription.path) }) else { return false }
      // No description of Signet is larger.
      guard case .file(let size) = entry.content, size <= JSONLimits.moduleDescription.size else { return false }
      let bytes = try EntryReader(source).bytes(entry.data, size: size, path: entry.path)
      guard case .object(let members) = try JSONReader.read(bytes, limits: .moduleDescription).content else {
        return false
      }
      return members.contains { member in names.contains { $0.isExactly(member.name) } }
    } catch {
      if error.isAboutReading { throw error }
      // No program could make a module of it.
      return false
    }
  }
}
