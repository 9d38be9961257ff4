internal import Signet
internal import SignetCrypto

/// Files that decide whom to trust, opened so that nobody else can have put them there.
enum TrustFile {
  /// Reads a trust policy.
  static func policy(_ path: String, allowTestKeys: Bool) throws(SignetError) -> TrustPolicy {
    let text = try TrustedPath.open(path, isSecret: false).bytes(limit: JSONLimits.policy.size)
    do throws(SignetError) {
      return try TrustPolicy(json: text, allowsTestKeys: allowTestKeys)
    } catch {
      throw error.about("\(path): \(error.object)")
    }
  }

  /// Reads certificates: one in DER, or any number in PEM.
  static func certificates(_ path: String) throws(SignetError) -> [Certificate] {
    let content = try TrustedPath.open(path, isSecret: false).secretBytes(limit: limit)
    do throws(SignetError) {
      return try Certificate.all(in: content)
    } catch {
      throw error.about(path)
    }
  }

  /// Reads the one certificate of a file.
  static func certificate(_ path: String) throws(SignetError) -> Certificate {
    let certificates = try certificates(path)
    guard certificates.count == 1 else {
      throw SignetError(
        .keyAmbiguous, path, "holds several certificates", expected: "one", found: "\(certificates.count)")
    }
    return certificates[0]
  }

  /// Certificates of 2 KiB, a hundred of them.
  private static let limit = 256 << 10
}
