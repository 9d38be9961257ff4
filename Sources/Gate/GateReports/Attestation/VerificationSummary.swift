public import ReleaseGate
public import Signet
public import SignetBase
internal import SignetCrypto

/// The verdict of a gate on each artifact, as a SLSA verification summary v1.
///
/// slsa.dev/spec/v1.1/verification_summary. Verifiers that trust the gate's key can demand the summary instead of checking
/// the release again. Each artifact gets a statement of its own, so that it can be verified alone.
///
/// The verdict is about the whole release: an artifact without a finding fails together with the others, because none
/// of them may be published.
public struct VerificationSummary: Sendable {
  /// The type of the statements.
  public static let type = SummaryPredicate.type
  /// What comes before the policy's name in its URI, unless a caller names one.
  private static let usualPolicy = "urn:signet:policy:"

  /// What a caller decides about the statements.
  public struct Options: Sendable {
    /// The URI of the verifier: who stands behind the verdict. Who has run it is said by the key that signs.
    public var verifier = "urn:signet:gate"
    /// The URI to which each artifact's path is appended: the folder from which users get the release.
    public var resource = ArtifactResource.usualPrefix
    /// The URI of the policy; nil for one that has the name of the policy's file alone.
    public var policy: String?
    /// The levels that a clean release has reached, at most one for each SLSA track.
    ///
    /// SLSA's levels are about builds and sources. A gate knows them only from a policy that demands provenance by
    /// the builders and signers of that level, so the usual claim is that none was evaluated.
    public var levels = ["SLSA_BUILD_LEVEL_UNEVALUATED"]
    /// Whether a refused release gets statements, too, that say `FAILED`.
    public var attestsRefusals = false

    /// Creates the usual options.
    public init() {}
  }

  private let report: GateReport
  private let options: Options
  /// The attestations of each artifact, by the bytes of its path.
  private let inputs: [[UInt8]: [GateReport.File]]

  /// Prepares the statements about a gate's report.
  ///
  /// - Throws: `gate.summary` for texts that are no URIs, and for levels that SLSA does not allow.
  public init(of report: GateReport, _ options: Options = Options()) throws(SignetError) {
    for uri in [options.verifier, options.resource, options.policy].compactMap(\.self) { try Self.check(uri: uri) }
    try Self.check(levels: options.levels)
    let paths = report.artifacts.map(\.file.path)
    let taken = Set(paths.map { Array($0.utf8) })
    for path in paths where taken.contains(Array("\(path).\(SummaryPredicate.label)".utf8)) {
      throw SignetError(
        .gateSummary, path, "cannot have a summary beside it, because another artifact has its name",
        expected: "no artifact called \(path).\(SummaryPredicate.label)", hint: "rename the other artifact")
    }
    try Self.check(places: paths.map(Self.place))
    self.report = report
    self.options = options
    var inputs: [[UInt8]: [GateReport.File]] = [:]
    for file in report.files {
      guard case .bundle(let artifact) = file.role else { continue }
      inputs[Array(artifact.utf8), default: []].append(file)
    }
    self.inputs = inputs
  }

  /// Signs a statement for each artifact of the report.
  ///
  /// - Returns: the text of a bundle for each artifact, and the path from the release's folder where it belongs. The
  ///   list is empty for a refused release, unless refusals are attested.
  /// - Throws: `signing.…`, `crypto.failure`.
  public func sign(by signer: Signer) throws(SignetError) -> [(path: String, bundle: [UInt8])] {
    guard report.isClean || options.attestsRefusals else { return [] }
    var signed: [(path: String, bundle: [UInt8])] = []
    for checked in report.artifacts {
      let (file, verified) = (checked.file, checked.artifact.verified)
      // With signatures in an archive, its file has one digest and what is signed has another. Hosts that have
      // unpacked a module know only the second.
      var digests = [file.sha256]
      for statement in verified?.statements ?? [] where !digests.contains(statement.subject) {
        digests.append(statement.subject)
      }
      let bundle = try signer.sign(predicate(file, verified), of: Self.type, about: file.path, digests: digests)
      signed.append(
        (
          Self.place(file.path),
          try bundle.canonicalBytes() + [UInt8(ascii: "\n")]
        ))
    }
    return signed
  }

  /// The path of the summary about an artifact.
  private static func place(_ path: String) -> String { BundleFile.single("\(path).\(SummaryPredicate.label)") }

  /// The maximum length of a name in bytes, on all file systems that matter.
  private static let nameLimit = 255

  /// Checks that every summary can be a file beside the others.
  private static func check(places: [String]) throws(SignetError) {
    let taken = Set(places.map { Array($0.utf8) })
    for place in places {
      let length = ReleasePath.baseName(of: place).utf8.count
      guard length <= nameLimit else {
        throw SignetError(
          .gateSummary, place, "is too long a name for a summary", expected: "at most \(nameLimit) bytes",
          found: "\(length) bytes", hint: "give the artifact a shorter name")
      }
      var folder = ArraySlice(Array(place.utf8))
      while let slash = folder.lastIndex(of: UInt8(ascii: "/")) {
        folder = folder[..<slash]
        guard !taken.contains(Array(folder)) else {
          throw SignetError(
            .gateSummary, String(decoding: folder, as: UTF8.self),
            "is the place of a summary, and a folder with others",
            expected: "no folder of this name", hint: "rename the folder")
        }
      }
    }
  }

  private func predicate(_ file: GateReport.File, _ verified: GateReport.Artifact.Verified?) -> JSONValue {
    let name = ReleasePath.baseName(of: report.policy.name)
    let policy = options.policy ?? ArtifactResource.uri(name.isEmpty ? "policy" : name, in: Self.usualPolicy)
    let levels = report.isClean ? options.levels : [SummaryPredicate.failedLevel]
    return .object(
      (
        "verifier",
        .object(("id", .string(options.verifier)), ("version", .object(("signet", .string(report.version)))))
      ),
      ("timeVerified", .string("\(report.time)")),
      ("resourceUri", .string(ArtifactResource.uri(file.path, in: options.resource))),
      ("policy", .object(("uri", .string(policy)), ("digest", report.policy.sha256.map(Self.digests)))),
      ("inputAttestations", inputAttestations(file, verified)),
      ("verificationResult", .string(report.isClean ? SummaryPredicate.passed : "FAILED")),
      ("verifiedLevels", .array(levels.map { .string($0) })),
      (SummaryPredicate.statementsField, statements(of: verified)))
  }

  /// What the publishers have stated, which the digest alone does not tell; nil for a refused artifact.
  private func statements(of verified: GateReport.Artifact.Verified?) -> JSONValue? {
    guard let statements = verified?.statements, !statements.isEmpty else { return nil }
    return .array(
      statements.map { SummaryPredicate.VerifiedStatement(type: $0.type, payload: $0.payload).json })
  }

  /// The attestations that were verified; nil if they cannot all be listed.
  ///
  /// The list must be complete. A module may have signatures inside it, which have no file, and a refused artifact may
  /// be such a module. Every bundle in the list must be verified: the policy must refuse those of untrusted signers.
  private func inputAttestations(
    _ file: GateReport.File, _ verified: GateReport.Artifact.Verified?
  ) -> JSONValue? {
    switch verified?.kind {
    case .file, .directory: break
    case .module, .other, nil: return nil
    }
    let refused = report.rules.filter { $0.level >= report.failingLevel }.map(\.id)
    let deciding = RuleList.all.map { $0.about }.filter(\.refusesBundles)
    guard deciding.allSatisfy({ rule in refused.contains { $0.isExactly(rule.id) } }) else { return nil }
    let bundles = inputs[Array(file.path.utf8)] ?? []
    guard !bundles.isEmpty else { return nil }
    return .array(
      bundles.map { bundle in
        .object(
          ("uri", .string(ArtifactResource.uri(bundle.path, in: options.resource))),
          ("digest", Self.digests(bundle.sha256)))
      })
  }

  private static func digests(_ digest: Digest) -> JSONValue { .object(("sha256", .string(digest.hex))) }

  private static func check(uri: String) throws(SignetError) {
    guard isURI(Array(uri.utf8)) else {
      throw SignetError(
        .gateSummary, uri, "is not a URI", expected: "a scheme, a colon, and what RFC 3986 allows behind it",
        hint: "name the verifier, the resource and the policy by URIs such as https://example.com/gate")
    }
  }

  /// Whether bytes are a scheme, a colon, and characters that a URI may have (RFC 3986, sections 2 and 3.1).
  private static func isURI(_ bytes: [UInt8]) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    let parts = bytes.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts[0].first, isLetter(first),
      parts[0].allSatisfy({ isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) })
    else { return false }
    let rest = Array(parts[1])
    return rest.indices.allSatisfy { index in
      PercentEncoding.sequence(at: index, in: rest) != nil || PercentEncoding.isUnreserved(rest[index])
        || ":/?#[]@!$&'()*+,;=".utf8.contains(rest[index])
    }
  }

  /// SLSA keeps the results that begin with `SLSA_` for itself, and allows one level for each track.
  private static func check(levels: [String]) throws(SignetError) {
    var tracks: [[UInt8]] = []
    for level in levels {
      let known = SLSALevel(level)
      guard !level.isEmpty, !level.isExactly(SummaryPredicate.failedLevel),
        known != nil || !level.utf8.starts(with: SLSALevel.prefix)
      else {
        throw SignetError(
          .gateSummary, level, "is not a level that a clean release can have",
          expected: "SLSA_BUILD_LEVEL_0 to 3, SLSA_SOURCE_LEVEL_0 to 4, or a name that does not begin with SLSA_")
      }
      guard let track = known?.track else { continue }
      guard !tracks.contains(track) else {
        throw SignetError(
          .gateSummary, level, "is a second level of its track", expected: "the highest level of each track")
      }
      tracks.append(track)
    }
  }
}
