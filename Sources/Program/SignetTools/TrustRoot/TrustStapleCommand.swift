internal import ArgumentParser
internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetOCSP
internal import SignetSystem

struct TrustStapleCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "staple",
    abstract: "Fetch what authorities say of certificates.",
    discussion: """
      Asks the OCSP responders that certificates name whether they are revoked, and puts the answers into the policy \
      (RFC 6960). The certificates are those that the policy has, and those of the signed files, bundles and files with \
      certificates that you name. Only certificates that the policy's authorities have certified are asked about, and an \
      answer is kept if it is signed for the certificate's issuer. An answer is good for some days: run this again before \
      signet trust check says that it is out of date, as a certificate whose answer is out of date is refused. signet verify \
      itself asks nobody.

      Examples:
        signet trust staple trust.json plugin.zip
        signet trust staple trust.json publisher.pem
        signet verify plugin.zip --policy trust.json
      """)

  @Argument(help: "The policy.", completion: .file())
  var policy: String

  @Argument(
    help: ArgumentHelp(
      "Signed files, bundles, or certificates in PEM or DER.", valueName: "file"), completion: .file())
  var files: [String] = []

  @Flag(name: .long, help: "Keep a published test key. For tests only.")
  var allowTestKeys = false

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("trust staple", about: policy, on: console) { (run) throws(SignetError) in
      let now = SystemTime.now()
      let read = try TrustPolicy(trustedFile: policy, allowsTestKeys: allowTestKeys, with: .all)
      var given: [Certificate] = []
      for file in files { given += try Self.certificates(in: file) }
      let questions = try CertifiedCertificates(read, besides: given, at: now).questions(&run, policy)
      guard !questions.isEmpty else {
        guard run.status == .done else { return }
        throw SignetError(
          .statusUnavailable, policy, "has no certificate whose responder can be asked",
          expected: "a certificate with the address of an OCSP responder (RFC 5280, section 4.2.2.1)",
          hint:
            "name the signed files, or use the authority's revocation list: signet trust set POLICY --revocation-list FILE"
        )
      }
      var answers: [(question: StatusQuestion, response: StatusResponse)] = []
      for question in questions {
        try run.trying(question.certificate.name) { (_) throws(SignetError) in
          answers.append((question, try question.ask(read.leastRSABits, at: now)))
        }
      }
      try keep(answers, at: now)
      for (question, response) in answers { try question.report(response, to: &run) }
    }
  }

  /// Puts the answers into the policy, as it is by now.
  private func keep(
    _ answers: [(question: StatusQuestion, response: StatusResponse)], at now: UnixTime
  ) throws(SignetError) {
    guard !answers.isEmpty else { return }
    let file = try PolicyFile(policy, allowTestKeys: allowTestKeys)
    var terms = file.policy.terms
    let issuers = answers.map(\.question.issuer)
    guard try terms.staple(answers.map(\.response), by: issuers, at: now) > 0 else { return }
    try file.replace(with: file.policy.with(terms))
  }

  /// The certificates in a file, or in the bundles that it has.
  private static func certificates(in path: String) throws(SignetError) -> [Certificate] {
    if let content = try? TrustedContent.readPinned(path, limit: 1 << 20), let all = try? Certificate.all(in: content)
    {
      return all
    }
    return try FoundBundles(path).certificates()
  }
}

/// Certificates of which a policy's authorities have certified each.
private struct CertifiedCertificates {
  private let verifier: CertificateChainVerifier
  private let certificates: [Certificate]
  private let now: UnixTime

  init(_ policy: TrustPolicy, besides given: [Certificate], at now: UnixTime) {
    var anchors = policy.terms.timestampAuthorities
    for entry in policy.entries + (policy.terms.summary?.signers ?? []) {
      switch entry.anchor.kind {
      case .key, .vouched: break
      case .authority(let authority): anchors += authority.certificates
      case .sameSigner(let certificate, let issuers):
        anchors += issuers.isEmpty ? [certificate] : TrustAnchor.ends(of: issuers)
      case .sameAuthority(_, let issuer): anchors.append(issuer)
      }
    }
    certificates = policy.certificates.filter { !anchors.contains($0) } + given
    self.now = now
    verifier = CertificateChainVerifier(
      anchors: anchors, intermediates: policy.certificates + given, revocationLists: [],
      leastRSABits: policy.leastRSABits, purpose: .pathValidation)
  }

  /// What is to be asked about the certificates, and about those between them and their authorities.
  func questions(_ run: inout CommandRun, _ policy: String) throws(SignetError) -> [StatusQuestion] {
    var questions: [StatusQuestion] = []
    for certificate in certificates {
      try run.trying(certificate.name) { (run) throws(SignetError) in
        // One that has ended was good at its last second, if ever.
        let path = try verifier.verify(certificate, at: min(now, certificate.notAfter)).certificates
        for (certificate, issuer) in zip(path, path.dropFirst())
        where !questions.contains(where: { $0.certificate == certificate }) {
          let addresses = certificate.responders
          if addresses.isEmpty {
            run.console.note("\(certificate.name.display): names no OCSP responder")
          } else {
            questions.append(StatusQuestion(certificate: certificate, issuer: issuer, addresses: addresses))
          }
        }
      }
    }
    return questions
  }
}

/// Whether a certificate is revoked, asked of the responders that it names.
private struct StatusQuestion {
  let certificate: Certificate
  let issuer: Certificate
  let addresses: [String]

  /// Asks the responders, one after the other.
  ///
  /// - Throws: `ocsp.unavailable` if none gives an answer that holds; `crypto.failure`.
  func ask(_ leastRSABits: Int, at now: UnixTime) throws(SignetError) -> StatusResponse {
    let request = try StatusRequest(about: certificate, issuedBy: issuer)
    var failures: [SignetError] = []
    for address in addresses.prefix(Self.addressLimit) {
      do throws(SignetError) {
        let answer = try PostedRequest(
          request.der, of: "application/ocsp-request", for: "application/ocsp-response",
          limit: StatusResponse.sizeLimit
        ).answer(at: address)
        let response = try StatusResponse(der: answer)
        try response.check(by: [issuer], leastRSABits, at: now)
        guard try response.statement(about: certificate, issuedBy: issuer) != nil else {
          throw SignetError(.statusResponder, "OCSP response", "is about another certificate")
        }
        return response
      } catch {
        if error.code == .cryptoFailure { throw error }
        failures.append(error)
      }
    }
    throw SignetError(
      .statusUnavailable, certificate.name, "is a certificate of which no responder has said whether it is revoked",
      found: failures.map { "\($0.object) \($0.message)\($0.found.map { ", \($0)" } ?? "") [\($0.code)]" }
        .joined(separator: "; "), hint: "try again later; the policy keeps the answers that it has")
  }

  /// The most responders of a certificate that are asked. Certificates name one.
  private static let addressLimit = 3

  func report(_ response: StatusResponse, to run: inout CommandRun) throws(SignetError) {
    guard let statement = try response.statement(about: certificate, issuedBy: issuer) else { return }
    let until = statement.nextUpdate.map { ", until \($0)" } ?? ""
    try run.did(
      .object(
        ("subject", .string(certificate.name)), ("serial", .string(certificate.serialNumber)),
        ("status", .string("\(statement.status)")), ("thisUpdate", .string("\(statement.thisUpdate)")),
        ("nextUpdate", statement.nextUpdate.map { .string("\($0)") })),
      "\(certificate.name.display): \(statement.status)\(until)")
  }
}
