internal import OtherSignatures
internal import Signet
internal import SignetBase
internal import SignetSystem

/// What signatures of other programs say, which is about bytes alone.
extension VerificationRequest {
  /// The signatures of other programs that can count for the file; nil if there are none, or the artifact must be more than
  /// bytes.
  ///
  /// - Throws: `signature.malformed`, `signature.unsupported`.
  func otherEvidence(
    about input: InputArtifact, for policy: TrustPolicy
  ) throws(SignetError) -> [any BareSignature]? {
    guard !input.isDirectory, kind == nil || kind == .file, type == nil, hostManifest == nil, leastSequence == nil,
      role.module == nil, policy.entries.contains(where: { $0.formats.contains(where: \.isOfOtherProgram) })
    else { return nil }
    guard signature == nil, !StandardInput.isMeant(by: path) else {
      guard let signature else { return nil }
      let named = try OtherEvidence.read(signature, for: policy)
      if named.isEmpty, !policy.entries.contains(where: { $0.accepts(.dsse) }),
        OtherSignature(file: signature) == nil,
        (try? FileStatus(ofLink: signature)) != nil, !BundleFile.holdsBundles(signature)
      {
        throw SignetError(
          .signatureMalformed, signature, "is no signature of a program whose signatures count",
          expected: Set(policy.entries.flatMap(\.formats).map(\.rawValue)).sorted().joined(separator: " or "),
          hint: "get the signature from its publisher again")
      }
      return named.isEmpty ? nil : named
    }
    let all = try OtherEvidence.beside(input.place, for: policy)
    return all.isEmpty ? nil : all
  }

  func hasBundles(_ input: InputArtifact) -> Bool {
    guard signature == nil else { return false }
    return input.isSignedInside
      || [BundleFile.single(input.place), BundleFile.several(input.place)].contains {
        (try? FileStatus(ofLink: $0)) != nil
      }
  }

  /// Verifies by signatures of other programs, which are over the bytes alone. A name that is asked for is refused.
  func bytes(
    _ input: InputArtifact, by others: [any BareSignature], _ verifier: Verifier, _ console: Console
  ) throws(SignetError) -> VerdictReport {
    let policy = verifier.policy
    // What else is there must be in order where it could count, and a policy may demand more than signatures.
    let readsBundles = policy.summary != nil || policy.entries.contains { $0.accepts(.dsse) }
    let isBeside = readsBundles && signature == nil && !StandardInput.isMeant(by: path)
    let source = (isBeside ? SignatureSource.beside(input.place) : .bytes([])).adding(others)
    func judge<Proof>(_ expectation: Verifier.Expectation<Proof>) throws(SignetError) -> VerdictReport {
      let verdict = try ProgressBar.show(input.path, size: input.size, console) { (counter) throws(SignetError) in
        try verifier.verify(input.artifact, signatures: source, expecting: expectation, progress: counter)
      }
      return VerdictReport(input.path, verdict, at: time, isNamed: isNamed)
    }
    // What a module is has more to say than its bytes.
    var report =
      if let name { try judge(.attestation(ofAnyTypeAbout: name, or: name, as: role)) } else if kind == .file {
        try judge(.file(named: input.baseName, as: role))
      } else { try judge(.fileOrModule(named: input.baseName, as: role)) }
    report.explain(.bundleMessageSignature) { reason in
      reason.hint =
        name == nil
        ? "ask the publisher for a signature of the module; if a file is meant, say so: --as file"
        : "it says nothing of a name: leave --name out"
    }
    return report
  }
}
