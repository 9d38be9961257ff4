internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetFiles
internal import SignetSystem
internal import SignetTUF

/// An update of an instance's trusted root in a folder: `trusted_root.json`, and in `tuf/` the metadata that is trusted of its
/// repository, which holds the highest version that was seen of each role.
struct RootUpdate {
  /// The path of the folder.
  let folder: String

  /// The name of the trusted root, in the repository and in the folder.
  private static let name = "trusted_root.json"
  /// The largest trusted root that is taken: one has some 10 KiB.
  private static let limit = 1 << 20

  /// The path of the trusted root.
  var path: String { "\(folder)/\(Self.name)" }
  private var metadata: String { "\(folder)/tuf" }

  /// Begins with a root of the repository, unless the folder has begun already.
  ///
  /// - Throws: `tuf.…` for a root that is none, `output.…`; `file.…` for a folder that others may write.
  func begin(with root: [UInt8]) throws(SignetError) -> TrustedMetadataFolder {
    do throws(SystemFailure) { _ = try Directory.make(folder, mode: 0o755) } catch {
      throw SignetError(.outputFailed, folder, "cannot be created", cause: error)
    }
    _ = try TrustedPath.openFolder(folder)
    let trusted = TrustedMetadataFolder(metadata)
    do throws(SignetError) { try trusted.begin(with: root) } catch  where error.code == .outputExists {
      // Newer roots have followed from the first one, or the folder has begun with another.
    }
    _ = try TrustedPath.openFolder(metadata)
    return trusted
  }

  /// Takes the trusted root that the repository offers now.
  ///
  /// The old one stays until the new one is whole and can be read.
  ///
  /// - Parameter client: a client that is refreshed.
  /// - Returns: whether it differs from the one that was there.
  /// - Throws: `tuf.…`, `keyless.root`; `file.…`, `output.…`.
  func take(from client: TUFClient) throws(SignetError) -> Bool {
    guard let target = try client.target(Self.name) else {
      throw SignetError(
        .tufNoTarget, Self.name, "is not offered by the repository",
        hint: "give the address of a repository that publishes an instance of Sigstore")
    }
    guard target.file.length <= Self.limit else {
      throw SignetError(
        .tufTooLong, Self.name, "is longer than a trusted root can be", expected: "at most \(Self.limit) bytes",
        found: "\(target.file.length)")
    }
    let arrived = try client.download(target, toFile: "\(metadata)/arrived")
    let text = try RegularFile(opening: arrived).bytes(limit: Self.limit)
    do throws(SignetError) { _ = try SigstoreRoot(json: text) } catch {
      throw error.about("\(Self.name): \(error.object)")
    }
    if try known() == text { return false }
    try OutputFile.write(text, to: path, .replace(unless: []))
    return true
  }

  /// The trusted root that is there; nil if there is none.
  private func known() throws(SignetError) -> [UInt8]? {
    do throws(SignetError) { return try RegularFile(opening: path).bytes(limit: Self.limit) } catch
      where [.fileMissing, .fileTooLarge].contains(error.code)
    {
      return nil
    }
  }
}
