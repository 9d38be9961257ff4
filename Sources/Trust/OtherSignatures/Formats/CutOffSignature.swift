/// A signature in text whose file ends before its last line: a download that broke off.
enum CutOffSignature {
  private static let labels: [(String, OtherSignature.Format)] = [
    ("PGP SIGNATURE", .openPGP), ("SSH SIGNATURE", .ssh), ("PKCS7", .cms), ("CMS", .cms),
  ]

  static func read(_ bytes: [UInt8]) -> OtherSignature? {
    for (label, format) in labels where bytes.starts(with: Array("-----BEGIN \(label)-----".utf8)) {
      guard bytes.firstRange(of: Array("-----END ".utf8)) == nil else { return nil }
      return OtherSignature(format, [.cutOff])
    }
    return nil
  }
}
