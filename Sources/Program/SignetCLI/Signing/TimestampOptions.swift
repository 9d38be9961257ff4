internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import Timestamping

/// Which authorities stamp a signature.
struct TimestampOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Have the signature stamped by the authority of timestamps at this address (RFC 3161), so that it outlives its certificate. Repeatable: the next one is asked if one fails.",
      valueName: "url"))
  var timestampUrl: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Keep only timestamps by the authority of this certificate. Repeatable. Default: any that hold.",
      valueName: "path"), completion: .file())
  var timestampAuthority: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Ask for a timestamp under this policy of the authority, such as 1.3.6.1.4.1.13762.3.", valueName: "oid"))
  var timestampPolicy: String?

  func validate() throws {
    for url in timestampUrl where !url.hasPrefix("http://") && !url.hasPrefix("https://") {
      throw ValidationError("--timestamp-url takes an address such as http://timestamp.example.com.")
    }
    for url in timestampUrl where TimestampQuestion.shown(url) != url.prefix(while: { $0 != "?" }) {
      throw ValidationError("--timestamp-url takes no user name and password.")
    }
    guard timestampAuthority.isEmpty && timestampPolicy == nil || !timestampUrl.isEmpty else {
      throw ValidationError("--timestamp-authority and --timestamp-policy go with --timestamp-url.")
    }
    if let timestampPolicy, TimestampPolicy(timestampPolicy) == nil {
      throw ValidationError("--timestamp-policy takes numbers with dots between them, such as 1.3.6.1.4.1.13762.3.")
    }
  }

  /// What has signatures stamped; nil if no authority is named.
  ///
  /// - Throws: `policy.entry` for a certificate that is of no authority of timestamps; `file.…`, `certificate.…`.
  func stamper() throws(SignetError) -> BundleStamper? {
    guard !timestampUrl.isEmpty else { return nil }
    let authorities = try Self.authorities(timestampAuthority).compactMap { TimestampAuthority([$0]) }
    return BundleStamper(
      timestampUrl, trusting: authorities, under: timestampPolicy.flatMap { TimestampPolicy($0) },
      by: NetworkTimestamps())
  }

  /// The certificates of authorities of timestamps.
  ///
  /// - Throws: `policy.entry` for a certificate that is of none; `file.…`, `certificate.…`.
  static func authorities(_ paths: [String]) throws(SignetError) -> [Certificate] {
    var authorities: [Certificate] = []
    for path in paths {
      for certificate in try Certificate.all(inTrustedFile: path) {
        guard TimestampAuthority.canBe(certificate) else {
          throw SignetError(
            .policyEntry, path, "has a certificate that can neither stamp nor certify who does",
            expected: "an authority, or a certificate for time stamping alone (RFC 3161, section 2.3)",
            found: certificate.name, hint: "get the certificate from who runs the authority of timestamps")
        }
        authorities.append(certificate)
      }
    }
    return authorities
  }
}
