public import Signet
public import SignetBase
internal import SignetSystem

/// How a spec is signed that is published: by one key, beside the signatures of others.
public struct SpecSigning: Sendable {
  private let signer: Signer
  private let time: UnixTime

  /// - Parameters:
  ///   - signer: signs the spec.
  ///   - time: when it does.
  public init(by signer: Signer, at time: UnixTime) {
    self.signer = signer
    self.time = time
  }

  /// The file with the bundle of a spec that is new.
  func file(for spec: ModuleSpec, _ bytes: [UInt8]) throws(SignetError) -> SpecRepository.NewFile {
    let bundles = try signer.signatures(
      addedTo: [], ofFile: bytes, named: ModuleSpec.fileName(of: spec.name), at: time)
    return (BundleFile.single(SpecTree.path(of: spec.name, spec.version)), try Self.lines(bundles))
  }

  /// The files with the bundles of a spec that is there, once this key has signed it, too.
  ///
  /// As for any file, one bundle is in a file of its own, and several are in another one, which repeats the first. Bundles
  /// that no policy accepts are left out: with them, no verifier would accept the others either.
  ///
  /// - Returns: the files that change; nil if the key has signed the spec.
  /// - Throws: `bundle.count` if there are too many; what signing throws.
  func files(for release: SpecTree.Release) throws(SignetError) -> [SpecRepository.NewFile]? {
    guard try !release.isSigned(by: signer.publicKey, at: time) else { return nil }
    let (single, several) = (BundleFile.single(release.path), BundleFile.several(release.path))
    let bundles = try signer.signatures(
      addedTo: SigstoreBundle.readable(in: release.bundles), ofFile: release.spec,
      named: ModuleSpec.fileName(of: release.name), at: time)
    var files: [SpecRepository.NewFile] = []
    let first = try release.file(single).flatMap { (file) throws(SignetError) in
      try SigstoreBundle.readable(in: [file]).first?.canonicalBytes()
    }
    if try first != bundles[0].canonicalBytes() { files.append((single, try Self.lines([bundles[0]]))) }
    if bundles.count > 1 || release.file(several) != nil { files.append((several, try Self.lines(bundles))) }
    return files
  }

  private static func lines(_ bundles: [SigstoreBundle]) throws(SignetError) -> [UInt8] {
    var text: [UInt8] = []
    for bundle in bundles { text += try bundle.canonicalBytes() + [UInt8(ascii: "\n")] }
    return text
  }
}

extension SpecTree.Release {
  /// The file of bundles at a path in the repository.
  fileprivate func file(_ path: String) -> BytesInMemory? {
    bundles.first { $0.path.utf8.reversed().starts(with: "/\(path)".utf8.reversed()) }
  }
}
