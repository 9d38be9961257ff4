internal import ModelSignatures
internal import OtherSignatures
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
  /// Whether links in a model count as the files that they lead to.
  var followsLinks = false
  /// Whether signers are trusted by identities, which other programs' statements are signed by.
  var isByIdentity = false

  /// Verifies the file or directory as what the request says it is.
  func report(_ verifier: Verifier, _ console: Console) throws(SignetError) -> VerdictReport {
    if isByIdentity, kind == nil, hostManifest == nil, let named = ArtifactByDigest(path) {
      var report = try statement(named.artifact, called: path, at: path, named.digest, by: verifier)
      report.explain(.statementPredicateType) { $0.hint = "verify the file itself, and not its digest" }
      return report
    }
    let input = try InputArtifact(openingOrReading: path)
    try kind?.checkInput(input)
    guard let others = try otherEvidence(about: input, for: verifier.policy) else {
      return try own(input, verifier, console)
    }
    // A bundle says more. Where nobody who is trusted has made one, what others say of the bytes can be enough.
    if hasBundles(input), verifier.policy.entries.contains(where: { $0.accepts(.dsse) }) {
      let report = try own(input, verifier, console)
      guard report.isRefusedAlone(for: [.signerUntrusted, .signatureMissing]) else { return report }
    }
    return try bytes(input, by: others, verifier, console)
  }

  /// Verifies by bundles of Signet and of Sigstore.
  private func own(
    _ input: InputArtifact, _ verifier: Verifier, _ console: Console
  ) throws(SignetError) -> VerdictReport {
    let name = name ?? input.baseName
    if kind == .model { return try model(input, called: name, by: verifier, on: console) }
    if let hostManifest {
      let expectation = Verifier.Expectation.hostManifest(
        identifier: hostManifest, named: name, leastSequence: leastSequence ?? 1)
      return try verify(input, by: verifier, expecting: expectation, on: console)
    }
    // What identities state in other programs is about digests: names are those of registries, or of other folders.
    let isStated = isByIdentity || type != nil && verifier.policy.entries.contains { $0.anchor.vouched != nil }
    if isStated, kind == nil, !input.isDirectory {
      let report = try statement(input, verifier, console)
      // An identity can sign what signet statement has written, too.
      guard type == nil, report.isRefused(for: .statementPredicateType) else { return report }
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

  /// What to do about a signature of bytes alone.
  ///
  /// - Parameter isByPolicy: whether a policy says which formats it accepts.
  private static func messageHint(_ isByPolicy: Bool) -> String {
    isByPolicy
      ? "ask the owner of the policy whether its entry is to accept the format message"
      : "if the bytes alone are enough, say so: --format message"
  }

  /// Verifies what another program has stated about the bytes, whatever it calls them, unless a name is given.
  private func statement(
    _ input: InputArtifact, _ verifier: Verifier, _ console: Console
  ) throws(SignetError) -> VerdictReport {
    let digest = try ProgressBar.show(input.path, size: input.size, console) { (counter) throws(SignetError) in
      try input.artifact.sha256(progress: counter)
    }
    return try statement(input.artifact, called: input.baseName, at: input.place, digest, by: verifier)
  }

  private func statement(
    _ artifact: Artifact, called base: String, at place: String, _ digest: Digest, by verifier: Verifier
  ) throws(SignetError) -> VerdictReport {
    let type = type.map { PredicateType($0) }
    let expectation: Verifier.Expectation<VerifiedAttestation> =
      switch (name, type) {
      case (let name?, let type?): .attestation(type, about: name, as: role)
      case (let name?, nil): .attestation(ofAnyTypeAbout: name, or: name, as: role)
      case (nil, _): .attestation(type, aboutBytesCalled: base, as: role)
      }
    let source = try KeylessBundles(of: place, digest, named: signature).source
    let verdict = try verifier.verify(artifact, sha256: digest, signatures: source, expecting: expectation)
    var report = VerdictReport(StandardInput.shown(path), verdict, at: time, isNamed: isNamed)
    report.explain(.bundleMessageSignature) { reason in
      reason.hint = Self.messageHint(isNamed)
    }
    let others =
      signature.map { [OtherSignatureReport($0, isSaid: true, key: key)].compactMap(\.self) }
      ?? OtherSignatureReport.all(about: place, key: key)
    if report.isRefused(for: .signatureMalformed), let other = others.first(where: \.isEnvelope) ?? others.first {
      report.explain(.signatureMalformed) { other.explain(&$0, path) }
    }
    return report
  }

  /// Verifies a model by the signature that is named, or by the one beside it or in it.
  private func model(
    _ input: InputArtifact, called name: String, by verifier: Verifier, on console: Console
  ) throws(SignetError) -> VerdictReport {
    let usual = ["\(input.place).sig", "\(input.place)/model.sig"]
    let found = signature ?? usual.first { (try? FileStatus(ofLink: $0)) != nil }
    let inside = try found.flatMap { (path) throws(SignetError) in
      try input.artifact.directory.flatMap { (model) throws(SignetError) in try Self.path(of: path, in: model) }
    }
    var report = try verify(
      input, by: verifier,
      expecting: .model(named: name, as: role, signature: inside, followsLinks: followsLinks),
      on: console, by: found.map { SignatureSource.file($0) } ?? .bytes([]))
    report.explain(.signatureMissing) { reason in
      reason.expected = "\(input.place).sig, \(input.place)/model.sig, or a file that is named"
      reason.hint = "name the file with the model's signature: --signature model.sig"
    }
    for code in [SignetError.Code.directoryTypeMismatch, .directoryExtraEntry] {
      report.explain(code) { reason in
        guard reason.found?.hasPrefix("a link") == true, !followsLinks else { return }
        reason.hint =
          "if the model's files are links, as in a cache: --follow-links; links to folders are never verified"
      }
    }
    return report
  }

  /// The path of a file in a folder, by where its own folder is; nil if it is elsewhere.
  private static func path(of file: String, in folder: Directory) throws(SignetError) -> String? {
    let end = file.utf8.lastIndex(of: UInt8(ascii: "/"))
    let above = end.map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    let name = end.map { String(file[file.utf8.index(after: $0)...]) } ?? file
    let (place, base) = (try Directory(opening: above).place(), try folder.place())
    guard place.utf8.starts(with: base.utf8) else { return nil }
    let rest = place.utf8.dropFirst(base.utf8.count)
    guard let first = rest.first else { return name }
    return first == UInt8(ascii: "/") ? "\(String(decoding: rest.dropFirst(), as: UTF8.self))/\(name)" : nil
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
    on console: Console, by other: SignatureSource? = nil
  ) throws(SignetError) -> VerdictReport {
    // Nothing lies beside standard input. What is in it is found all the same.
    let isStream = StandardInput.isMeant(by: path)
    let source = other ?? signature.map { SignatureSource.file($0) } ?? (isStream ? .bytes([]) : .beside(input.place))
    var expected = needsBothDigests ? expectation.establishingBothDigests() : expectation
    // A file is downloaded under its last name. A name that is given is compared as it is.
    if name == nil { expected = expected.inAnyFolder() }
    let verdict = try ProgressBar.show(input.path, size: input.size, console) { (counter) throws(SignetError) in
      try verifier.verify(input.artifact, signatures: source, expecting: expected, progress: counter)
    }
    var report = VerdictReport(input.path, verdict, at: time, isNamed: isNamed)
    report.explain(.statementPredicateType) { reason in
      if let found = reason.found, PredicateType(found) == ModelManifest.type, kind == nil {
        reason.hint = "it is a model's signature: --as model"
      } else if type == nil, let found = reason.found, !PredicateType(found).isOwn {
        reason.hint = "if such a statement is enough, say so: \(found.value(of: "--type"))"
      }
    }
    // Browsers rename what they download: the name that was signed is then another one.
    if name == nil {
      report.explain(.subjectName) { reason in
        guard let name = reason.found else { return }
        reason.hint = "if the file was renamed on its way, say what it was called: \(name.value(of: "--name"))"
      }
    }
    if report.skipped(.timestamps).contains("by no authority")
      || report.skipped(.timestamps).contains("no authority is")
    {
      for code in [SignetError.Code.chainExpired, .signerOutsideWindow] {
        report.explain(code) { reason in
          reason.hint =
            isNamed
            ? "its bundle has a timestamp: if you trust who has stamped it, signet trust set POLICY --timestamp-authority CERT"
            : "its bundle has a timestamp: if you trust who has stamped it, name the authority: --timestamp-authority CERT"
        }
      }
    }
    report.explain(.chainNotACA) { reason in
      reason.hint =
        "if it is your own authority, make its certificate again, so that it may certify others: openssl req -x509 needs -addext keyUsage=critical,keyCertSign,cRLSign"
    }
    if report.isRefused(for: .signatureMissing) {
      let endings = OtherSignature.endings(of: verifier.policy)
      report.explain(.signatureMissing) { reason in
        if !verifier.policy.entries.contains(where: { $0.accepts(.dsse) }), !endings.isEmpty {
          reason.expected = endings.map { "\(input.place)\($0)" }.joined(separator: " or ")
          reason.hint = "get the signature from the file's publisher, or say where it is: --signature FILE"
          _ = isStream || OtherSignatureReport.explain(&reason, path, key: key)
          return
        }
        guard !isStream else {
          reason.hint = "say where its signature is, and what the file is called: --signature BUNDLE --name NAME"
          return
        }
        if OtherSignatureReport.explain(&reason, path, key: key) { return }
        if type == nil, verifier.policy.entries.contains(where: { $0.anchor.vouched != nil }),
          let (file, type) = KeylessBundles.statement(about: input)
        {
          reason.found = "\(file), a statement of another program"
          reason.hint = "if such a statement is enough, say so: \(type.value(of: "--type"))"
          return
        }
        MissingSignature(path, key: key).explain(&reason)
      }
    }
    if report.isRefused(for: .bundleMessageSignature),
      let other = OtherSignatureReport(signature ?? BundleFile.single(input.place), isSaid: false, key: key)
    {
      report.explain(.bundleMessageSignature) { reason in
        other.advise(&reason, path)
        reason.hint = Self.messageHint(isNamed)
      }
    }
    if type == nil, verifier.policy.entries.contains(where: { $0.anchor.vouched != nil }) {
      report.explain(.signatureMalformed) { reason in
        reason.hint = "if a statement of another program is meant, say of which type: --type URI"
      }
    }
    if let signature, report.isRefused(for: .signatureMalformed),
      let other = OtherSignatureReport(signature, isSaid: true, key: key)
    {
      report.explain(.signatureMalformed) { other.explain(&$0, path) }
    }
    return report
  }
}
