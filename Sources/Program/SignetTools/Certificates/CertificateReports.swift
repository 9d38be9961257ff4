internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetCrypto

extension Report {
  /// A certificate that was made.
  static func certified(_ file: String, _ certificate: Certificate) -> JSONValue {
    .object(
      ("file", .string(file)), ("verdict", .string("certified")), ("subject", .string("\(certificate.subject)")),
      ("names", .array(certificate.subjectAlternativeNames.map { .string("\($0)") })),
      ("serial", .string(certificate.serialNumber)), ("sha256", .string(certificate.fingerprint.hex)),
      ("notBefore", .string("\(certificate.notBefore)")), ("notAfter", .string("\(certificate.notAfter)")))
  }
}
