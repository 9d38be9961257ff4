internal import Signet
internal import SignetArchive
internal import SignetBase
internal import SignetSystem

/// What a command line asks to verify: a file or directory, and what it must be.
///
/// Every command that says whether something verifies decides it here, so that no two of them disagree.
struct VerificationRequest {
  let path: String
  /// The file with the bundle; nil for those beside the artifact.
  var signature: String?
  /// The name that the statement must have; nil for the base name, after any folders.
  var name: String?
  /// What the artifact is taken for.
  var role = ArtifactRole.unnamed
  /// The type of another program's statement.
  var type: String?
  /// The host whose manifest is expected.
  var hostManifest: ModuleIdentifier?
  var leastSequence: Int?
  var kind: KindOption?
  /// Whether both digests are established, whatever the policy needs.
  var needsBothDigests = false
  /// The time of the verification, if it is not now.
  var time: UnixTime?
  /// Whether a policy has names for the signers that it trusts.
  var isNamed = false
  /// What the user gave as the key that is trusted, for next steps.
  var key: String?

  /// Verifies the file or directory as what the request says it is.
  func report(_ verifier: Verifier, _ console: Console) throws(SignetError) -> VerdictReport {
    let input = try InputArtifact(openingOrReading: path)
    try kind?.checkInput(input)
    let name = name ?? input.baseName
    if let hostManifest {
      let expectation = Verifier.Expectation.hostManifest(
        identifier: hostManifest, named: name, leastSequence: leastSequence ?? 1)
      return try verify(input, by: verifier, expecting: expectation, on: console)
    }
    if input.isDirectory { try checkDirectory() }
    let own: PredicateType = input.isDirectory ? .directory : .file
    if let type, PredicateType(type) != own {
      return try verify(
        input, by: verifier, expecting: .attestation(PredicateType(type), about: name, as: role), on: console)
    }
    if input.isDirectory {
      return try verify(input, by: verifier, expecting: .directory(named: name, as: role), on: console)
    }
    // Only a module has a sequence, or can be the module that was asked for.
    if kind == .module || leastSequence != nil || kind == nil && type == nil && role.module != nil {
      return try verify(
        input, by: verifier,
        expecting: .module(role.module, at: role.uri, leastSequence: leastSequence ?? 1, named: name), on: console)
    }
    if kind == .file || type != nil {
      var report = try verify(input, by: verifier, expecting: .file(named: name, as: role), on: console)
      if report.isRefused(for: .signatureMissing), input.isSignedInside {
        report.explain(.signatureMissing) { reason in
          reason.hint = "it is a module with its signature inside: verify it without --as file"
        }
      }
      return report
    }
    return try verify(input, by: verifier, expecting: .fileOrModule(named: name, as: role), on: console)
  }

  private func checkDirectory() throws(SignetError) {
    // A floor that is compared with nothing must not look like one that holds.
    guard leastSequence == nil else {
      throw SignetError(
        .archiveFormat, path, "is a directory, which has no sequence", expected: "a module's archive, or a manifest")
    }
    guard role.module == nil || type != nil else {
      throw SignetError(
        .archiveFormat, path, "is a directory, and --module asks for a module", expected: "a module's archive",
        hint: "verify the archive; to verify a directory leave --module out")
    }
  }

  private func verify<Proof>(
    _ input: InputArtifact, by verifier: Verifier, expecting expectation: Verifier.Expectation<Proof>,
    on console: Console
  ) throws(SignetError) -> VerdictReport {
    // Nothing lies beside standard input. What is in it is found all the same.
    let isStream = StandardInput.isMeant(by: path)
    let source = signature.map { SignatureSource.file($0) } ?? (isStream ? .bytes([]) : .beside(input.place))
    var expected = needsBothDigests ? expectation.establishingBothDigests() : expectation
    // A file is downloaded under its last name. A name that is given is compared as it is.
    if name == nil { expected = expected.inAnyFolder() }
    let verdict = try ProgressBar.show(input.path, size: input.size, console) { (counter) throws(SignetError) in
      try verifier.verify(input.artifact, signatures: source, expecting: expected, progress: counter)
    }
    var report = VerdictReport(input.path, verdict, at: time, isNamed: isNamed)
    // Browsers rename what they download: the name that was signed is then another one.
    if name == nil {
      report.explain(.subjectName) { reason in
        guard let name = reason.found else { return }
        reason.hint = "if the file was renamed on its way, say what it was called: \(name.value(of: "--name"))"
      }
    }
    if report.isRefused(for: .signatureMissing) {
      report.explain(.signatureMissing) { reason in
        guard !isStream else {
          reason.hint = "say where its signature is, and what the file is called: --signature BUNDLE --name NAME"
          return
        }
        if OtherSignatureReport.explain(&reason, path, key: key) { return }
        MissingSignature(path, key: key).explain(&reason)
      }
    }
    if report.isRefused(for: .bundleMessageSignature),
      let other = OtherSignatureReport(signature ?? BundleFile.single(input.place), isSaid: false, key: key)
    {
      report.explain(.bundleMessageSignature) { other.advise(&$0, path) }
    }
    if let signature, report.isRefused(for: .signatureMalformed),
      let other = OtherSignatureReport(signature, isSaid: true, key: key)
    {
      report.explain(.signatureMalformed) { other.explain(&$0, path) }
    }
    return report
  }
}
