package import ReleaseGate
internal import SignetBase

/// What people call a signer: the policy's names, or else the names in the certificate, or else the key.
package struct SignerWords {
  private let signer: GateReport.Signer

  package init(_ signer: GateReport.Signer) { self.signer = signer }

  /// The name by which people know the signer; nil for a bare key. Like all texts of a report, it is exact.
  package var name: String? {
    // A key that was given alone is its own name.
    let entries = signer.entries.filter { !$0.isExactly(signer.keyID) }
    if !entries.isEmpty { return entries.joined(separator: ", ") }
    return signer.chain.first.map { $0.identity ?? "subject:\($0.subject)" }
  }

  /// The key: its algorithm and its ID.
  package var key: String { "\(signer.algorithm) \(signer.keyID)" }

  /// The name with the key behind it, or the key alone.
  package var full: String { name.map { "\($0) (\(key))" } ?? key }
}
