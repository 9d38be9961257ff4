internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetSystem

/// The files with the bundles of an artifact that identities have signed, where programs that make or fetch them put them.
struct KeylessBundles {
  /// Where the bundles are read.
  let source: SignatureSource

  /// What other programs append to the name of the artifact.
  private static let endings = [
    ".sigstore", ".jsonl", ".intoto.jsonl", ".provenance.sigstore.json", ".provenance", ".publish.attestation",
    ".slsa.attestation", ".attestation",
  ]

  /// - Parameters:
  ///   - path: the path of the artifact.
  ///   - digest: its SHA-256, by which `gh attestation download` names the file.
  ///   - signature: the file that the user names; nil for all that are beside the artifact.
  /// - Throws: `keyless.bundle` for a file of another program that is not in order; `signature.unreadable`.
  init(of path: String, _ digest: Digest, named signature: String?) throws(SignetError) {
    if let signature {
      source = try Self.source([signature])
      return
    }
    let present = Self.present(of: path, digest)
    source = present.isEmpty ? .beside(path) : try Self.source(present)
  }

  /// The files that there are.
  private static func present(of path: String, _ digest: Digest) -> [String] {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().map { "\($0)/" }.joined()
    let named = ["sha256:\(digest.hex).jsonl", "sha256-\(digest.hex).jsonl"]
    var candidates = [BundleFile.single(path), BundleFile.several(path)] + endings.map { path + $0 }
    candidates += named.map { folder + $0 } + (folder.isEmpty ? [] : named)
    return candidates.filter { (try? FileStatus(ofLink: $0)) != nil }
  }

  /// A statement about an artifact in one of these files, and its type; nil if there is none that can be read. Nothing of it
  /// is verified.
  static func statement(about input: InputArtifact) -> (file: String, type: String)? {
    guard !input.isDirectory, let digest = try? input.artifact.sha256(progress: nil) else { return nil }
    for path in present(of: input.place, digest) {
      guard let file = try? RegularFile(opening: path), file.size <= JSONLimits.bundle.size,
        let text = try? file.bytes(in: 0..<file.size)
      else { continue }
      let texts =
        (try? ForeignShapes.bundles(in: text)) ?? (try? BundleFile.bundles(of: file))?.compactMap { try? $0.read() }
        ?? []
      for text in texts {
        guard let bundle = try? SigstoreBundle(json: text),
          let statement = try? Statement(payload: bundle.envelope.payload)
        else { continue }
        return (path, statement.predicateType.uri)
      }
    }
    return nil
  }

  /// The bundles of files, also of such in which another program keeps them.
  private static func source(_ paths: [String]) throws(SignetError) -> SignatureSource {
    var (files, texts, isForeign): ([any ByteSource], [[UInt8]], Bool) = ([], [], false)
    for path in paths {
      guard let file = try? RegularFile(opening: path), file.size <= JSONLimits.bundle.size else {
        // One that cannot be opened is told as such.
        return .file(path)
      }
      files.append(file)
      do throws(SignetError) {
        if let bundles = try ForeignShapes.bundles(in: BundleFile.bytes(in: 0..<file.size, of: file)) {
          texts += bundles
          isForeign = true
        } else {
          for bundle in try BundleFile.bundles(of: file) { texts.append(try bundle.read()) }
        }
      } catch {
        throw error.about("\(path): \(error.object)")
      }
    }
    return isForeign ? .bytes(texts) : .files(files)
  }
}
