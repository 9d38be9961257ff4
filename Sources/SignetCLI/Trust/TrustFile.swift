internal import Signet
internal import SignetBase
internal import SignetCrypto

/// Files of which the command line wants exactly one thing.
enum TrustFile {
  /// Reads the one certificate of a file.
  static func certificate(_ path: String) throws(SignetError) -> Certificate {
    let certificates = try Certificate.all(inTrustedFile: path)
    guard certificates.count == 1 else {
      throw SignetError(
        .keyAmbiguous, path, "holds several certificates", expected: "one", found: "\(certificates.count)")
    }
    return certificates[0]
  }
}
