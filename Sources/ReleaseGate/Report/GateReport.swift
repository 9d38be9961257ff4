public import SignetBase
public import SignetCrypto

/// The result of a gate: every file of the release, every finding, and the verdict.
///
/// A report is a value that depends on the release, the policy and the clock alone. The formats in `Formats` write it
/// for people and for programs.
public struct GateReport: Sendable {
  /// The time at which the release was checked.
  public let time: UnixTime
  /// The policy that decided.
  public let policy: Policy
  /// The version of Signet that checked.
  public let version: String
  /// Every file below the paths, sorted by the bytes of their paths.
  public let files: [File]
  /// Every folder below the paths that is no artifact and belongs to none, sorted by the bytes of their paths.
  public let folders: [Folder]
  /// The rules that were in force, in the order of the list of all rules.
  public let rules: [Rule]
  /// What is wrong: sorted by path, then by rule, then by place. Findings without a path come first.
  public let findings: [Finding]
  /// What changed since the last release; nil if none was given.
  public let comparison: Comparison?
  /// The lowest level that refuses the release.
  public let failingLevel: Level

  /// Creates a report.
  package init(
    time: UnixTime, policy: Policy, version: String, files: [File], folders: [Folder], rules: [Rule],
    findings: [Finding], comparison: Comparison?, failingLevel: Level
  ) {
    self.time = time
    self.policy = policy
    self.version = version
    self.files = files
    self.folders = folders
    self.rules = rules
    self.findings = findings
    self.comparison = comparison
    self.failingLevel = failingLevel
  }

  /// Whether nothing keeps the release from its users.
  public var isClean: Bool { !findings.contains { $0.level >= failingLevel } }

  /// The artifacts, in the order of the files.
  public var artifacts: [(file: File, artifact: Artifact)] {
    files.compactMap { file in
      if case .artifact(let artifact) = file.role { (file, artifact) } else { nil }
    }
  }

  /// How grave a finding is.
  public enum Level: Int, Comparable, Sendable, CaseIterable, CustomStringConvertible {
    /// It is shown, and refuses nothing unless `--fail-on warning` says so.
    case warning = 1
    /// It refuses the release.
    case error = 2

    /// The word in policies and reports.
    public var description: String { self == .error ? "error" : "warning" }

    /// Whether the first level is less grave.
    public static func < (first: Level, second: Level) -> Bool { first.rawValue < second.rawValue }
  }

  /// The policy that decided.
  public struct Policy: Sendable {
    /// What the user calls it: a path, or the option that gave a key.
    public let name: String
    /// The SHA-256 of its file; nil if there is none.
    public let sha256: Digest?

    /// Creates a reference to a policy.
    public init(name: String, sha256: Digest?) {
      self.name = name
      self.sha256 = sha256
    }
  }

  /// A rule that was in force.
  public struct Rule: Sendable {
    /// The stable identifier, such as `private-key`.
    public let id: String
    /// What the rule demands, in a sentence.
    public let title: String
    /// Why it does, and what to do about a finding, in a paragraph.
    public let help: String
    /// How grave its findings are.
    public let level: Level

    /// Creates a rule.
    package init(id: String, title: String, help: String, level: Level) {
      self.id = id
      self.title = title
      self.help = help
      self.level = level
    }
  }

  /// A file below the paths.
  public struct File: Sendable {
    /// The path from the release's folder, with slashes.
    public let path: String
    /// The size in bytes; for a directory that is signed as a whole, that of all its files.
    public let size: Int
    /// The SHA-256; for a directory that is signed as a whole, that of its listing; for a link, that of its text.
    public let sha256: Digest
    /// The twelve mode bits; nil for a link, whose permissions mean nothing, and for what has no bytes.
    public let mode: UInt32?
    /// What the file is to the gate.
    public let role: Role
    /// What the file is to the system.
    public let kind: Kind

    /// What a file is to the system.
    public enum Kind: String, Sendable, CaseIterable {
      /// A regular file.
      case file
      /// A directory that is signed, or must be signed, as a whole.
      case directory
      /// A symbolic link.
      case link
      /// A pipe, a device or a socket. It is left out, and has no bytes.
      case special
    }

    /// Whether it is a directory that is signed, or must be signed, as a whole.
    public var isDirectory: Bool { kind == .directory }

    /// Creates a file.
    package init(path: String, size: Int, sha256: Digest, mode: UInt32?, role: Role, kind: Kind = .file) {
      self.path = path
      self.size = size
      self.sha256 = sha256
      self.mode = mode
      self.role = role
      self.kind = kind
    }
  }

  /// A folder that is only a place for files.
  public struct Folder: Sendable {
    /// The path from the release's folder, with slashes.
    public let path: String
    /// The twelve mode bits.
    public let mode: UInt32

    /// Creates a folder.
    package init(path: String, mode: UInt32) {
      self.path = path
      self.mode = mode
    }
  }

  /// What a file is to the gate.
  public enum Role: Sendable {
    /// It must be signed.
    case artifact(Artifact)
    /// It holds the signatures of this artifact.
    case bundle(of: String)
    /// A pattern leaves it out.
    case excluded(by: String)
    /// It is a symbolic link to this file or folder of the release. Its size and SHA-256 are those of the link's text.
    case link(to: String)
  }

  /// An artifact, and who has signed it.
  public struct Artifact: Sendable {
    /// What it was signed as: `file`, `directory` or `module`; nil if it is refused.
    public let kind: String?
    /// The module; nil for anything else.
    public let module: Module?
    /// The signers; empty if it is refused.
    public let signers: [Signer]
    /// The statements that were verified, and the SHA-256 that each is about: not that of the file if an archive has
    /// signatures in it. Empty if it is refused.
    let statements: [Statement]

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

    /// Creates an artifact.
    package init(kind: String?, module: Module? = nil, signers: [Signer], statements: [Statement] = []) {
      self.kind = kind
      self.module = module
      self.signers = signers
      self.statements = statements
    }

    /// Whether a trusted signer has signed it.
    public var isVerified: Bool { !signers.isEmpty }
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

  /// Who has signed an artifact.
  public struct Signer: Sendable {
    /// The policy's names for the signer; empty if it has none.
    public let entries: [String]
    /// The key's ID.
    public let keyID: String
    /// The key's algorithm.
    public let algorithm: String
    /// When the artifact was signed, by the signer's own claim.
    public let signedAt: UnixTime?
    /// The certificates from the signer's to the trusted one; empty for a bare key.
    public let chain: [ChainLink]

    /// Creates a signer.
    package init(entries: [String], keyID: String, algorithm: String, signedAt: UnixTime?, chain: [ChainLink]) {
      self.entries = entries
      self.keyID = keyID
      self.algorithm = algorithm
      self.signedAt = signedAt
      self.chain = chain
    }
  }

  /// A certificate of a chain.
  public struct ChainLink: Sendable {
    /// The subject, as RFC 4514 writes it.
    public let subject: String
    /// The first identity in the certificate; nil if it has none.
    public let identity: String?
    /// The end of its validity.
    public let notAfter: UnixTime

    /// Creates a link.
    package init(subject: String, identity: String?, notAfter: UnixTime) {
      self.subject = subject
      self.identity = identity
      self.notAfter = notAfter
    }
  }

  /// What is wrong with a file, or with the release.
  public struct Finding: Sendable {
    /// The rule's identifier.
    public let rule: String
    /// How grave it is.
    public let level: Level
    /// The file; nil for a finding about the release.
    public let path: String?
    /// The entry inside an archive or a directory.
    public let entry: String?
    /// The line, the offset or the field, in words.
    public let place: String?
    /// What is wrong, without a period at the end.
    public let message: String
    /// The code of the error behind the finding; nil if there is none.
    public let code: String?
    /// What would have been right.
    public let expected: String?
    /// What was found.
    public let found: String?
    /// What to do next.
    public let hint: String?

    /// Creates a finding.
    package init(
      rule: String, level: Level, path: String? = nil, entry: String? = nil, place: String? = nil, message: String,
      code: String? = nil, expected: String? = nil, found: String? = nil, hint: String? = nil
    ) {
      self.rule = rule
      self.level = level
      self.path = path
      self.entry = entry
      self.place = place
      self.message = message
      self.code = code
      self.expected = expected
      self.found = found
      self.hint = hint
    }
  }

  /// What changed since the last release.
  public struct Comparison: Sendable {
    /// What the user calls the last release.
    public let baseline: String
    /// Every difference, sorted by path.
    public let changes: [Change]

    /// Creates a comparison.
    package init(baseline: String, changes: [Change]) {
      self.baseline = baseline
      self.changes = changes
    }
  }

  /// A difference from the last release.
  public struct Change: Sendable {
    /// The file.
    public let path: String
    /// What happened to it.
    public let kind: Kind
    /// The differences inside it, each a line: `+ route ui://player/:item`, `~ lib/player.so 12,288 to 14,336 bytes`.
    public let details: [String]

    /// Creates a difference.
    package init(path: String, kind: Kind, details: [String]) {
      self.path = path
      self.kind = kind
      self.details = details
    }

    /// What happened to a file.
    public enum Kind: String, Sendable {
      /// It is new.
      case added
      /// It is gone.
      case removed
      /// It has other bytes, or another signer.
      case changed
    }
  }
}
