internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetSystem

/// The file with the bundles of an artifact that identities have signed, where programs that make or fetch them put it.
struct KeylessBundles {
  /// Where the bundles are read.
  let source: SignatureSource

  /// - Parameters:
  ///   - path: the path of the artifact.
  ///   - digest: its SHA-256, by which `gh attestation download` names the file.
  ///   - signature: the file that the user names; nil for those beside the artifact.
  /// - Throws: `keyless.bundle` for a file of another program that is not in order; `signature.unreadable`.
  init(of path: String, _ digest: Digest, named signature: String?) throws(SignetError) {
    if let signature {
      source = try Self.source(signature)
      return
    }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { "\($0)/" }.joined()
    let usual = [BundleFile.single(path), BundleFile.several(path)]
    let others =
      ["sigstore", "jsonl", "intoto.jsonl", "publish.attestation", "provenance"].map { "\(path).\($0)" } + [
        "\(folder)sha256:\(digest.hex).jsonl", "\(folder)sha256-\(digest.hex).jsonl", "sha256:\(digest.hex).jsonl",
      ]
    func isThere(_ path: String) -> Bool { (try? FileStatus(ofLink: path)) != nil }
    let other = usual.contains(where: isThere) ? nil : others.first(where: isThere)
    source = try other.map { (path) throws(SignetError) in try Self.source(path) } ?? .beside(path)
  }

  /// The bundles of a file, also of one in which another program keeps them.
  private static func source(_ path: String) throws(SignetError) -> SignatureSource {
    guard let file = try? RegularFile(opening: path), file.size <= JSONLimits.bundle.size else { return .file(path) }
    do throws(SignetError) {
      let text = try BundleFile.bytes(in: 0..<file.size, of: file)
      return try ForeignShapes.bundles(in: text).map { .bytes($0) } ?? .file(path)
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }
}
