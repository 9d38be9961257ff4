package import SignetBase
package import SignetCMS
internal import SignetCrypto
package import SignetVerify

/// Has signatures stamped, so that they outlive their certificates.
package struct BundleStamper: Sendable {
  private let addresses: [String]
  private let authorities: [TimestampAuthority]
  private let policy: TimestampPolicy?
  private let service: any TimestampService

  /// A bundle with one more timestamp.
  package struct Stamped: Sendable {
    package let bundle: SigstoreBundle
    /// The time that the authority has stated.
    package let time: UnixTime
    /// The authority's name.
    package let authority: String
  }

  /// - Parameters:
  ///   - addresses: the URLs of authorities. The next one is asked when one does not give a token that holds.
  ///   - authorities: those that are trusted; empty if a token need only hold by the certificate that it carries.
  ///   - policy: the policy under which they must stamp; nil for their own choice.
  ///   - service: the way to them.
  package init(
    _ addresses: [String], trusting authorities: [TimestampAuthority] = [], under policy: TimestampPolicy? = nil,
    by service: any TimestampService
  ) {
    (self.addresses, self.authorities, self.policy, self.service) = (addresses, authorities, policy, service)
  }

  /// Whether a bundle has a timestamp by one of the authorities that are trusted; by anybody, if none is named.
  package func hasStamped(_ bundle: SigstoreBundle) -> Bool {
    authorities.isEmpty
      ? !bundle.timestamps.isEmpty
      : bundle.timestamps.contains { der in
        (try? TimestampToken(der: der).check(over: bundle.envelope.signature, by: authorities)) != nil
      }
  }

  /// Has the signature of a bundle stamped. The token is verified before it is kept, and the bundle is read again with it.
  ///
  /// - Parameters:
  ///   - name: what messages call the bundle.
  ///   - clock: gives the time.
  /// - Throws: `timestamp.unavailable`, whose cause is why the first authority has given no token; `crypto.failure`.
  package func stamp(
    _ bundle: SigstoreBundle, _ name: String, clock: () -> UnixTime
  ) throws(SignetError) -> Stamped {
    var failures: [(address: String, error: SignetError)] = []
    for address in addresses {
      do throws(SignetError) {
        return try stamp(bundle, at: address, clock)
      } catch {
        if error.code == .cryptoFailure { throw error }
        failures.append((address, error))
      }
    }
    throw SignetError(
      .timestampUnavailable, name, "has a signature that nobody has stamped", expected: "a token of RFC 3161",
      found: failures.map { "\(service.shown($0.address)): \($0.error.reason)" }.joined(separator: "; "),
      hint: failures.first?.error.hint ?? "try again later, or name another authority of timestamps")
  }

  private func stamp(
    _ bundle: SigstoreBundle, at address: String, _ clock: () -> UnixTime
  ) throws(SignetError) -> Stamped {
    let request = try TimestampRequest(over: bundle.envelope.signature, under: policy)
    let answer = try service.answer(to: request.der, at: address)
    let (token, authority) = try request.token(in: answer, by: authorities, at: clock())
    let stamped = bundle.adding(timestamp: answer)
    // What is written must be read again, by whatever limits readers have.
    guard try SigstoreBundle(json: stamped.canonicalBytes()).timestamps == stamped.timestamps else {
      throw SignetError(
        .signatureMalformed, "bundle", "cannot be read back with a timestamp", hint: "report it as a fault of Signet")
    }
    return Stamped(bundle: stamped, time: token.info.time, authority: authority.description)
  }
}

extension SignetError {
  /// The error without what it is about, which is said already.
  fileprivate var reason: String {
    code == .timestampUnavailable ? found ?? message : "\(message)\(found.map { ", \($0)" } ?? "") [\(code)]"
  }
}
