import Foundation
import SignetCrypto

@testable import Keyless
@testable import SignetBase
@testable import SignetCMS
@testable import SignetNames
@testable import SignetVerify
@testable import TransparencyLog

/// What proves keyless signatures: signed data, timestamps, notes of logs, trusted roots and whole bundles.
enum FedProofs {
  /// Signed data, and a token that it may be, checked against the certificates that it carries.
  static func feedSignedData(_ bytes: [UInt8]) {
    if let data = try? SignedData(der: bytes) {
      let certificates = data.certificates.compactMap { try? Certificate(der: $0) }
      for signer in data.signers {
        for certificate in certificates { _ = try? signer.check(.bytes(data.content ?? []), by: certificate) }
      }
    }
    guard let token = try? TimestampToken(der: bytes) else { return }
    let certificates = token.certificates.compactMap { try? Certificate(der: $0) }
    let authorities = [TimestampAuthority(certificates), TimestampAuthority(certificates.reversed())].compactMap(
      \.self)
    // Nobody knows the bytes that a made-up token is about.
    require((try? token.check(over: bytes, by: authorities)) == nil, "a token is about its own bytes")
  }

  /// Notes and checkpoints: what is signed is a beginning of the note.
  static func feedNote(_ bytes: [UInt8]) {
    guard let note = try? SignedNote(bytes) else { return }
    require(bytes.starts(with: note.text) && !note.signatures.isEmpty, "a note has another text")
    guard let checkpoint = try? Checkpoint(bytes) else { return }
    require(checkpoint.root.count == LogTree.hashSize, "a root has another length")
    let proof = try? InclusionProof(
      index: checkpoint.size / 2, size: checkpoint.size, hashes: note.signatures.map { _ in checkpoint.root })
    _ = try? proof?.root(of: checkpoint.root)
  }

  /// Trusted roots.
  static func feedRoot(_ bytes: [UInt8]) {
    guard let root = try? SigstoreRoot(json: bytes) else { return }
    for log in root.logs + root.certificateLogs { require(log.window.from != nil, "a log that always counted") }
  }

  /// The trusted root of the vectors, and who signs there.
  private static let instance: (root: SigstoreRoot, expected: ExpectedSigner, artifact: [Digest])? = {
    guard let path = ProcessInfo.processInfo.environment["SIGNET_FUZZ_KEYLESS"],
      let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
      let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let root = fields["root"],
      let text = try? JSONSerialization.data(withJSONObject: root), let known = try? SigstoreRoot(json: Array(text)),
      let identity = fields["identity"] as? String, let issuer = fields["issuer"] as? String,
      let digest = try? Digest.of(Array("hello\n".utf8), .sha256)
    else { return nil }
    return (known, .identities([.init(identity, issuer: issuer)]), [digest])
  }()

  /// Bundles, verified: what is accepted is proven at some time.
  static func feedBundle(_ bytes: [UInt8]) {
    guard let bundle = try? KeylessBundle(json: bytes) else { return }
    guard let instance else { return require(false, "SIGNET_FUZZ_KEYLESS names no cases") }
    for demands in [KeylessDemands.publicGood, .github] {
      let verifier = KeylessVerifier(root: instance.root, demands: demands, now: UnixTime(seconds: 1_900_000_000))
      do {
        let proof = try verifier.verify(bundle, of: instance.artifact, by: instance.expected)
        require(proof.identity != nil && !proof.times.isEmpty, "a proof without a signer or a time")
      } catch {
        require(error.code.rawValue != "crypto.failure", "could not check: \(error)")
      }
    }
  }

  /// Files of others: what is taken out of them is JSON, and no more than is verified.
  static func feedShape(_ bytes: [UInt8]) {
    guard let bundles = try? ForeignShapes.bundles(in: bytes) else { return }
    require(bundles.count <= SignatureSource.bundleLimit, "more bundles than are verified")
    for text in bundles { require((try? JSONReader.read(text, limits: .bundle)) != nil, "a bundle that is no JSON") }
  }

  /// Identities of a policy, which is written as it was read, and trusts the same.
  static func feedSigners(_ bytes: [UInt8]) {
    let text =
      Array(#"{"version":1,"entries":[{"name":"s","files":["*"],"sigstore":"#.utf8) + bytes + Array("}]}".utf8)
    guard let policy = try? TrustPolicy(json: text, with: [.sigstore]) else { return }
    guard let written = try? policy.canonicalBytes(), let again = try? TrustPolicy(json: written, with: [.sigstore])
    else {
      return require(false, "a policy cannot be written, or not read again")
    }
    require(again == policy && (try? again.canonicalBytes()) == written, "a policy is written in two ways")
  }
}
