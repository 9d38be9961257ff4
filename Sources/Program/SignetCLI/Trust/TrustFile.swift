internal import Signet
internal import SignetBase
internal import SignetCrypto

/// Files that must hold exactly one thing for the command line.
enum TrustFile {
  /// Reads the only certificate in a file.
  static func certificate(_ path: String) throws(SignetError) -> Certificate {
    let certificates = try Certificate.all(inTrustedFile: path)
    guard certificates.count == 1 else {
      throw SignetError(
        .keyAmbiguous, path, "holds several certificates", expected: "one", found: "\(certificates.count)",
        hint: "put the certificate that is meant into a file of its own")
    }
    return certificates[0]
  }
}
