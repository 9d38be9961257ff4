public import ReleaseGate
internal import SignetArchive
public import SignetBase
internal import SignetCrypto

/// The whole report as one JSON object, for programs and for a later check of the same files.
///
/// It is canonical JSON and a newline; docs/gate-report.schema.json is its schema. All texts are exact. Fields without a value are left out:
///
/// | field | value |
/// |---|---|
/// | `signetGateReport` | the version of the format: 1 |
/// | `verdict` | `clean` or `refused` |
/// | `failingLevel` | the lowest level that refuses: `warning` or `error` |
/// | `time` | when the release was checked, as `2026-11-21T02:26:37Z` |
/// | `tool` | `name` and `version` of the program |
/// | `policy` | its `name`, and the `sha256` of its file |
/// | `rules` | of each rule `id`, `title`, `help` and `level` |
/// | `files` | of each file `path`, `type` (`file`, `directory`, `link`, `special`), `size`, `sha256`, `mode` and `role` |
/// | `folders` | of each folder that is no artifact, and belongs to none, `path` and `mode` |
/// | `roots` | of each folder that was given, in that order, `mode` |
/// | `findings` | of each `rule`, `level`, `path`, `entry`, `place`, `message`, `code`, `expected`, `found`, `hint` |
/// | `comparison` | `baseline`, and `changes`, each with `path`, `kind` and `details` |
///
/// A file's `role` is `artifact`, with an `artifact` of `kind`, `module` and `signers`; `bundle`, with `bundleOf`;
/// `excluded`, with `excludedBy`; or `link`, with `linkTo`. A signer has `entries`, `keyId`, `algorithm`, `signedAt` and
/// `certificates`. A `mode` is four octal digits, such as `0644`; links and special files have none.
public struct JSONReport: ReportFormat {
  /// `json`.
  public static let name = "json"
  static let version = 1

  private let limits: JSONLimits

  /// Creates the format.
  public init() { self.init(limits: Listing.limits) }

  /// - Parameter limits: what a reader takes.
  init(limits: JSONLimits) { self.limits = limits }

  /// Writes a report.
  ///
  /// - Throws: `gate.report-size` if ``Listing`` would refuse the report, which could then not be checked again.
  public func text(of report: GateReport) throws(SignetError) -> [UInt8] {
    let value = Self.value(of: report)
    let text = try CanonicalJSON.write(value) + [UInt8(ascii: "\n")]
    let values = Self.count(value)
    guard text.count <= limits.size, values <= limits.values else {
      throw SignetError(
        .gateReportSize, "report", "is larger than a report that can be read again",
        expected: "at most \(Amount.bytes(limits.size)) and \(Amount.of(limits.values, "value", "values"))",
        found: "\(Amount.bytes(text.count)) and \(Amount.of(values, "value", "values"))",
        hint: "check the folders of the release one after the other")
    }
    return text
  }

  /// The number of values, as a reader counts them.
  private static func count(_ value: JSONValue) -> Int {
    switch value.content {
    case .object(let members): members.reduce(1) { $0 + count($1.value) }
    case .array(let elements): elements.reduce(1) { $0 + count($1) }
    default: 1
    }
  }

  /// The report's JSON object.
  package static func value(of report: GateReport) -> JSONValue {
    let policy = JSONValue.object(
      ("name", .string(report.policy.name)), ("sha256", report.policy.sha256.map { .string($0.hex) }))
    let rules = report.rules.map { rule in
      JSONValue.object(
        ("id", .string(rule.id)), ("title", .string(rule.title)), ("help", .string(rule.help)),
        ("level", .string("\(rule.level)")))
    }
    return .object(
      ("signetGateReport", .integer(Self.version)), ("verdict", .string(ReportWords(report).verdict)),
      ("failingLevel", .string("\(report.failingLevel)")), ("time", .string("\(report.time)")),
      ("tool", .object(("name", .string("signet")), ("version", .string(report.version)))), ("policy", policy),
      ("rules", .array(rules)), ("files", .array(report.files.map(Self.file))),
      ("folders", .array(report.folders.map(Self.folder))),
      ("roots", report.rootModes.isEmpty ? nil : .array(report.rootModes.map(Self.root))),
      ("findings", .array(report.findings.map(Self.finding))),
      ("comparison", report.comparison.map(Self.comparison)))
  }

  private static func file(_ file: GateReport.File) -> JSONValue {
    let role: String
    var detail: (artifact: JSONValue?, bundleOf: String?, excludedBy: String?, linkTo: String?)
    switch file.role {
    case .artifact(let artifact): (role, detail.artifact) = ("artifact", self.artifact(artifact))
    case .bundle(let of): (role, detail.bundleOf) = ("bundle", of)
    case .excluded(let by): (role, detail.excludedBy) = ("excluded", by)
    case .link(let to): (role, detail.linkTo) = ("link", to)
    }
    return .object(
      ("path", .string(file.path)), ("type", .string(file.kind.rawValue)),
      ("size", .integer(file.size)), ("sha256", .string(file.sha256.hex)),
      ("mode", file.mode.map { .string(FileMode.text($0)) }), ("role", .string(role)),
      ("artifact", detail.artifact), ("bundleOf", detail.bundleOf.map { .string($0) }),
      ("excludedBy", detail.excludedBy.map { .string($0) }), ("linkTo", detail.linkTo.map { .string($0) }))
  }

  private static func root(_ mode: UInt32) -> JSONValue { .object(("mode", .string(FileMode.text(mode)))) }

  private static func folder(_ folder: GateReport.Folder) -> JSONValue {
    .object(("path", .string(folder.path)), ("mode", .string(FileMode.text(folder.mode))))
  }

  private static func artifact(_ artifact: GateReport.Artifact) -> JSONValue {
    let module = artifact.module.map { module in
      JSONValue.object(
        ("identifier", .string(module.identifier)), ("version", .string(module.version)),
        ("sequence", .integer(module.sequence)))
    }
    return .object(
      ("kind", artifact.verified.map { .string($0.kind.word) }), ("module", module),
      ("signers", .array(artifact.signers.map(signer))))
  }

  private static func signer(_ signer: GateReport.Signer) -> JSONValue {
    let certificates = signer.chain.map { link in
      JSONValue.object(
        ("subject", .string(link.subject)), ("identity", link.identity.map { .string($0) }),
        ("notAfter", .string("\(link.notAfter)")))
    }
    return .object(
      ("entries", .array(signer.entries.map { .string($0) })), ("keyId", .string(signer.keyID)),
      ("algorithm", .string(signer.algorithm)), ("signedAt", signer.signedAt.map { .string("\($0)") }),
      ("certificates", .array(certificates)))
  }

  private static func finding(_ finding: GateReport.Finding) -> JSONValue {
    func text(_ text: String?) -> JSONValue? { text.map { .string($0) } }
    return .object(
      ("rule", .string(finding.rule)), ("level", .string("\(finding.level)")), ("path", text(finding.path)),
      ("entry", text(finding.entry)), ("place", text(finding.place)), ("message", .string(finding.message)),
      ("code", text(finding.code)), ("expected", text(finding.expected)), ("found", text(finding.found)),
      ("hint", text(finding.hint)))
  }

  /// What changed between two releases, as in a report.
  package static func comparison(_ comparison: GateReport.Comparison) -> JSONValue {
    let changes = comparison.changes.map { change in
      JSONValue.object(
        ("path", .string(change.path)), ("kind", .string(change.kind.rawValue)),
        ("details", .array(change.details.map { .string($0) })))
    }
    return .object(("baseline", .string(comparison.baseline)), ("changes", .array(changes)))
  }
}
