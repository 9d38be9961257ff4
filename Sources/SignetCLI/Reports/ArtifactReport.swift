internal import Signet
internal import SignetCrypto

/// What was proved of an artifact, by its kind.
struct ArtifactReport {
  private let proof: any VerificationProof

  init(_ proof: any VerificationProof) {
    switch proof as? VerifiedFileOrModule {
    case .file(let file): self.proof = file
    case .module(let module): self.proof = module
    case nil: self.proof = proof
    }
  }

  /// For people.
  var lines: [String] {
    if let directory = proof as? VerifiedDirectory {
      return ["  listing    \(directory.listing.digest)", "  entries    \(directory.listing.entries.count)"]
    }
    var lines: [String] = []
    if let verified = proof as? VerifiedModule {
      lines += [
        "  module     \(verified.module.identifier) \(verified.module.version), sequence \(verified.module.sequence)",
        "  entries    \(verified.contents.entries.count)",
      ]
    }
    if let manifest = proof as? VerifiedHostManifest {
      lines.append("  host       \(manifest.identifier), sequence \(manifest.sequence)")
    } else {
      lines.append("  fsverity   \(proof.fsverity.map { "\($0)" } ?? "not established")")
    }
    lines.append("  sha256     \(proof.sha256?.hex ?? "not established")")
    return lines
  }

  /// For programs.
  var members: [JSONValue.Member] {
    let directory = proof as? VerifiedDirectory
    let manifest = proof as? VerifiedHostManifest
    let module = proof as? VerifiedModule
    let hasTree = directory == nil && manifest == nil
    let missing = [("fsverity", hasTree && proof.fsverity == nil), ("sha256", proof.sha256 == nil)].filter(\.1)
    let all: [(String, JSONValue?)] = [
      ("name", .string(proof.name)), ("size", .integer(directory?.listing.size ?? proof.artifact.size)),
      ("entries", (directory?.listing.entries.count ?? module?.contents.entries.count).map { .integer($0) }),
      ("identifier", (manifest?.identifier ?? module?.module.identifier).map { .string("\($0)") }),
      ("version", module.map { .string("\($0.module.version)") }),
      ("sequence", (manifest?.sequence ?? module?.module.sequence).map { .integer($0) }),
      ("sha256", proof.sha256.map { .string($0.hex) }), ("fsverity", proof.fsverity.map { .string("\($0)") }),
      ("notEstablished", .array(missing.map { .string($0.0) })),
    ]
    return all.compactMap { name, value in value.map { JSONValue.Member(name, $0) } }
  }
}
