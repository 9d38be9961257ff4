internal import OtherSignatures
internal import Signet
internal import SignetBase
internal import SignetCrypto
internal import SignetKeys
internal import SignetSystem

/// A file with a key or with certificates: what it is, and the ID of its key. Nothing of a private key is shown.
struct KeyReport {
  private let path: String
  private let content: Content

  private enum Content {
    case publicKey(PublicKey)
    case minisign(MinisignKey)
    case privateKey
    case certificates([Certificate])
    /// A key that Signet does not read, with the reason.
    case other(SignetError)
  }

  /// Reads a file; nil if it holds neither.
  init?(_ path: String) {
    self.path = path
    guard let file = try? RegularFile(opening: path), file.size > 0, file.size <= Certificate.fileSizeLimit,
      let secret = try? file.secretBytes(limit: Certificate.fileSizeLimit)
    else { return nil }
    if let certificates = try? Certificate.all(in: secret), !certificates.isEmpty {
      content = .certificates(certificates)
      return
    }
    if !PEM.isPresent(in: secret),
      let key = (try? MinisignKey(secret.withBytes { Array(copying: $0) })).flatMap(\.self)
    {
      content = .minisign(key)
      return
    }
    do throws(SignetError) {
      content = .publicKey(
        try OtherKey.explaining(secret, isToSign: false) { () throws(SignetError) in try PublicKey(file: secret) })
    } catch {
      switch error.code {
      case .keyPrivateForPublic: content = .privateKey
      case .keyMalformed where error.message == KeyForm.unrecognised(nil).message: return nil
      default: content = .other(error)
      }
    }
  }

  /// Shows the key or the certificates.
  func show(_ console: Console) throws(SignetError) {
    if console.isJSON {
      try console.document(Report.document("inspect", [json], .done))
      return
    }
    switch content {
    case .publicKey(let key):
      try console.result("\(path.display): a public key")
      try console.result(Self.lines([("kind", "\(key.algorithm)"), ("key ID", "\(key.id)")]))
      // Whole, however long it is: it is copied.
      try console.result("  --key           \(key.line)")
    case .minisign(let key):
      try console.result("\(path.display): a public key of \(key.program)")
      try console.result(
        Self.lines([
          ("kind", "\(key.key.algorithm)"), ("number", key.shownNumber), ("key ID", "\(key.key.id)"),
          ("--key", key.line),
        ]))
    case .privateKey:
      try console.result("\(path.display): a private key")
      let half = (try? FileStatus(ofLink: path + ".pub")) != nil
      try console.result(
        Self.lines([
          (
            "next",
            half
              ? "keep it to yourself; its public half is in \(path).pub"
              : "keep it to yourself; its public half: openssl pkey -pubout -in \(path.shellWord)"
          )
        ]))
    case .certificates(let certificates):
      for certificate in certificates {
        try console.result("\(path.display): a certificate")
        try console.result(Self.lines(CertificateReport(certificate.der).claims()))
      }
    case .other(let error):
      try console.result("\(path.display): \(error.message)")
      try console.result(Self.lines([("next", NextStep.after(error) ?? "")].filter { !$0.1.isEmpty }))
    }
  }

  private static func lines(_ fields: [(String, String)]) -> [String] {
    fields.map { name, text in
      "  \(name)\(String(repeating: " ", count: max(1, 16 - name.utf8.count)))\(text.display)"
    }
  }

  private var json: JSONValue {
    switch content {
    case .publicKey(let key):
      .object(
        ("file", .string(path)), ("format", .string("public key")), ("algorithm", .string("\(key.algorithm)")),
        ("keyId", .string("\(key.id)")), ("key", .string(key.line)))
    case .minisign(let key):
      .object(
        ("file", .string(path)), ("format", .string("\(key.program) public key")),
        ("algorithm", .string("\(key.key.algorithm)")), ("number", .string(key.shownNumber)),
        ("keyId", .string("\(key.key.id)")), ("key", .string(key.line)))
    case .privateKey: .object(("file", .string(path)), ("format", .string("private key")))
    case .certificates(let certificates):
      .object(
        ("file", .string(path)), ("format", .string("certificates")),
        (
          "certificates",
          .array(
            certificates.map { certificate in
              .object(
                ("name", .string(certificate.name)), ("serial", .string(certificate.serialNumber)),
                ("keyId", (try? certificate.publicKey()).map { .string("\($0.id)") }))
            })
        ))
    case .other(let error): .object(("file", .string(path)), ("format", .string(error.message)))
    }
  }
}
