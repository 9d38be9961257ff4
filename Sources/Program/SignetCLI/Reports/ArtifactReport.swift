internal import Signet
internal import SignetBase
internal import SignetCrypto

/// What was proved about an artifact, by its kind.
struct ArtifactReport {
  private let proof: any VerificationProof

  init(_ proof: any VerificationProof) {
    switch proof as? VerifiedFileOrModule {
    case .file(let file): self.proof = file
    case .module(let module): self.proof = module
    case nil: self.proof = proof
    }
  }

  /// What the artifact is, for people.
  var lines: [String] {
    if let directory = proof as? VerifiedDirectory {
      return ["  holds    \(directory.listing.entries.count.of("entry", "entries"))"]
    }
    if let module = (proof as? VerifiedModule)?.module {
      return ["  module   \(module.identifier) \(module.version), sequence \(module.sequence)"]
    }
    if let manifest = proof as? VerifiedHostManifest {
      return ["  host     \(manifest.identifier), sequence \(manifest.sequence)"]
    }
    return []
  }

  /// The digests that were established.
  var digests: [String] {
    if let directory = proof as? VerifiedDirectory { return ["  listing  \(directory.listing.digest)"] }
    return [proof.sha256.map { "  sha256   \($0.hex)" }, proof.fsverity.map { "  fsverity \($0)" }].compactMap(\.self)
  }

  /// Whether the artifact was read: one that is known by its digest was not.
  private var isThere: Bool { !(proof is VerifiedAttestation) || proof.artifact.file != nil }

  /// What was proved, for programs.
  var members: [JSONValue.Member] {
    let directory = proof as? VerifiedDirectory
    let manifest = proof as? VerifiedHostManifest
    let module = proof as? VerifiedModule
    let all: [(String, JSONValue?)] = [
      ("name", .string(proof.name)),
      ("size", isThere ? .integer(directory?.listing.size ?? proof.artifact.size) : nil),
      ("entries", (directory?.listing.entries.count ?? module?.contents.entries.count).map { .integer($0) }),
      ("identifier", (manifest?.identifier ?? module?.module.identifier).map { .string("\($0)") }),
      ("version", module.map { .string("\($0.module.version)") }),
      ("sequence", (manifest?.sequence ?? module?.module.sequence).map { .integer($0) }),
      ("sha256", proof.sha256.map { .string($0.hex) }), ("fsverity", proof.fsverity.map { .string("\($0)") }),
    ]
    return all.compactMap { name, value in value.map { JSONValue.Member(name, $0) } }
  }
}
