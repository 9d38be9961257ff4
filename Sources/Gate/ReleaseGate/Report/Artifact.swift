package import SignetCrypto

extension GateReport {
  /// An artifact, and how its verification ended.
  public struct Artifact: Sendable {
    /// How the verification of an artifact ended.
    public enum Outcome: Sendable {
      /// Trusted signers have signed it.
      case verified(Verified)
      /// It is refused, so nothing that anybody says of it counts.
      case refused
    }

    /// What trusted signers say of an artifact.
    public struct Verified: Sendable {
      /// What it was signed as.
      public let kind: Kind
      /// The signers; at least one.
      public let signers: [Signer]
      /// The statements, and the SHA-256 that each is about: not that of the file if an archive has signatures in it.
      package let statements: [Statement]

      /// Creates it.
      package init(kind: Kind, signers: [Signer], statements: [Statement] = []) {
        self.kind = kind
        self.signers = signers
        self.statements = statements
      }
    }

    /// What an artifact was signed as.
    public enum Kind: Sendable {
      case file, directory
      case module(Module)
      /// A statement of another type, by its URI.
      case other(String)

      /// The word in reports: `file`, `directory`, `module`, or the URI.
      public var word: String {
        switch self {
        case .file: "file"
        case .directory: "directory"
        case .module: "module"
        case .other(let type): type
        }
      }
    }

    /// A verified statement.
    package struct Statement: Hashable, Sendable {
      package let type: String
      package let payload: Digest
      package let subject: Digest

      package init(type: String, payload: Digest, subject: Digest) {
        self.type = type
        self.payload = payload
        self.subject = subject
      }
    }

    /// How its verification ended.
    public let outcome: Outcome

    /// Creates an artifact.
    package init(_ outcome: Outcome) { self.outcome = outcome }

    /// What trusted signers say of it; nil if it is refused.
    public var verified: Verified? { if case .verified(let verified) = outcome { verified } else { nil } }

    /// Whether a trusted signer has signed it.
    public var isVerified: Bool { verified != nil }

    /// The signers; empty if it is refused.
    public var signers: [Signer] { verified?.signers ?? [] }

    /// The module that it was signed as; nil for anything else, and if it is refused.
    public var module: Module? { if case .module(let module) = verified?.kind { module } else { nil } }
  }

  /// A release of a module.
  public struct Module: Sendable {
    /// The module's identifier.
    public let identifier: String
    /// Its version.
    public let version: String
    /// Its sequence.
    public let sequence: Int

    /// Creates a module's release.
    package init(identifier: String, version: String, sequence: Int) {
      self.identifier = identifier
      self.version = version
      self.sequence = sequence
    }
  }
}
