internal import ArgumentParser
internal import CertificateAuthority
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto
internal import SignetFiles
internal import SignetSystem

struct CertShowCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show an authority's list, a request, or certificates.",
    discussion: """
      Of a folder, what the authority has issued: who, until when, and what was revoked. Of a file, what it says: a \
      request, certificates, or revocation lists. Nothing of a file is trusted.

      Examples:
        signet cert show team
        signet cert show alice.csr
      """)

  @Argument(help: "The authority's folder, or a file.", completion: .file())
  var path: String

  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.making("cert show", about: path, on: console) { (run) throws(SignetError) in
      if (try? Directory(opening: path)) != nil { return try show(AuthorityFolder(path: path), &run) }
      let content = try RegularFile.secret(path)
      do throws(SignetError) {
        if try show(certificatesIn: content, &run) { return }
        if try show(listsIn: content, &run) { return }
        try show(CertificateRequest(file: content), &run)
      } catch {
        throw SignetError(
          .authorityRequest, path, "is neither a request nor a certificate nor a revocation list",
          expected: "one of them, in PEM or DER", cause: error)
      }
    }
  }

  private func show(_ folder: AuthorityFolder, _ run: inout CommandRun) throws(SignetError) {
    let authority = try folder.read()
    try run.did(
      Report.certified(folder.certificate, authority.certificate), "\(folder.certificate.display):",
      "  subject         \("\(authority.certificate.subject)".display)",
      "  issuer          \("\(authority.certificate.issuer)".display)",
      "  valid           \(authority.certificate.notBefore) to \(authority.certificate.notAfter)",
      "  issued          \(authority.issued.certificates.count.of("certificate", "certificates"))")
    for issued in authority.issued.certificates {
      let end =
        issued.revocation.map { "revoked \($0.date), \($0.reason.rawValue)" }
        ?? (issued.notAfter < SystemTime.now() ? "ended \(issued.notAfter)" : "until \(issued.notAfter)")
      try run.did(
        .object(
          ("serial", .string(issued.serial)), ("subject", .string(issued.name)),
          ("names", .array(issued.names.map { .string($0) })), ("keyId", .string(issued.key)),
          ("sha256", .string(issued.sha256)),
          ("notBefore", .string("\(issued.notBefore)")), ("notAfter", .string("\(issued.notAfter)")),
          ("revoked", issued.revocation.map { .string("\($0.date)") }),
          ("reason", issued.revocation.map { .string($0.reason.rawValue) })),
        "\(issued.serial)  \(end)", "  \(([issued.name] + issued.names).joined(separator: ", ").display)",
        "  \(issued.key)")
    }
  }

  private func show(_ request: CertificateRequest, _ run: inout CommandRun) throws(SignetError) {
    try run.did(
      .object(
        ("file", .string(path)), ("kind", .string("request")), ("subject", .string("\(request.subject)")),
        ("names", .array(request.names.map { .string("\($0)") })), ("otherNames", .integer(request.unusableNames)),
        ("keyId", .string("\(request.publicKey.id)"))),
      "\(path.display): a request, signed by its key", "  subject         \("\(request.subject)".display)",
      "  key             \(request.publicKey)")
    for name in request.names { try run.console.result("  alternative     \("\(name)".display)") }
    if request.unusableNames > 0 {
      try run.console.result(
        "  alternative     \(request.unusableNames.of("name", "names")) of a kind that no policy can trust")
    }
  }

  private func show(certificatesIn content: SecretBytes, _ run: inout CommandRun) throws(SignetError) -> Bool {
    guard let certificates = try? Certificate.all(in: content) else { return false }
    for certificate in certificates {
      try run.console.result("\(path.display): a certificate")
      for (name, text) in CertificateReport(certificate.der).claims() {
        try run.console.result(
          "  \(name)\(String(repeating: " ", count: max(1, 16 - name.utf8.count)))\(text.display)")
      }
      run.did([
        .object(
          ("file", .string(path)), ("kind", .string("certificate")), ("subject", .string("\(certificate.subject)")),
          ("issuer", .string("\(certificate.issuer)")), ("serial", .string(certificate.serialNumber)),
          ("names", .array(certificate.subjectAlternativeNames.map { .string("\($0)") })),
          ("keyId", (try? certificate.publicKey()).map { .string("\($0.id)") }),
          ("sha256", .string(certificate.fingerprint.hex)), ("notBefore", .string("\(certificate.notBefore)")),
          ("notAfter", .string("\(certificate.notAfter)")))
      ])
    }
    return true
  }

  private static func json(_ serial: String, _ entry: RevocationEntry) -> JSONValue {
    .object(
      ("serial", .string(serial)), ("date", .string("\(entry.date)")), ("reason", .string("\(entry.reason)")),
      ("since", entry.invalidityDate.map { .string("\($0)") }))
  }

  private static func suspicion(_ entry: RevocationEntry) -> String {
    entry.invalidityDate.map { ", suspected since \($0)" } ?? ""
  }

  private func show(listsIn content: SecretBytes, _ run: inout CommandRun) throws(SignetError) -> Bool {
    guard let lists = try? RevocationList.all(in: content) else { return false }
    for list in lists {
      try run.did(
        .object(
          ("file", .string(path)), ("kind", .string("revocation list")), ("issuer", .string("\(list.issuer)")),
          ("thisUpdate", .string("\(list.thisUpdate)")), ("nextUpdate", .string("\(list.nextUpdate)")),
          ("revoked", .array(list.entries.map { Self.json($0.serial, $0.entry) }))),
        "\(path.display): a revocation list", "  issuer          \("\(list.issuer)".display)",
        "  made            \(list.thisUpdate)", "  next            \(list.nextUpdate)",
        "  revokes         \(list.entries.count.of("certificate", "certificates"))")
      for (serial, entry) in list.entries {
        try run.console.result("  \(serial)  \(entry.date), \(entry.reason)\(Self.suspicion(entry))")
      }
    }
    return true
  }
}
