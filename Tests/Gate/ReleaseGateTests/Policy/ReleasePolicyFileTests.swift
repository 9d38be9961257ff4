import Foundation
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct ReleasePolicyFileTests {
  /// A release that a policy in a file accepts, and the digest of that file.
  private struct Pinned {
    let release: ReleaseFolder
    let path: String
    let pin: Digest

    init() throws {
      release = try ReleaseFolder()
      try release.add("tool")
      let trust = try TrustPolicy(trusting: [release.signer.publicKey]).canonicalBytes()
      let text = Array("{\"version\": 1, \"trust\": \(String(decoding: trust, as: UTF8.self))}".utf8)
      path = try release.folder.write("policy.json", text)
      pin = try Digest.of(text, .sha256)
    }

    /// Checks the release against a policy.
    func check(_ file: ReleasePolicyFile) throws -> GateReport {
      try Gate(
        policy: file.policy, called: GateReport.Policy(name: path, sha256: file.sha256),
        clock: .fixed(ReleaseFolder.time), version: "1"
      ).check([release.path])
    }

    /// The gate refuses the policy without the pin, and checks with it.
    func expectPinDecides() throws {
      expectError(.fileOthersMayWrite) { _ = try ReleasePolicyFile(trusted: path) }
      let report = try check(ReleasePolicyFile(path, pinned: pin))
      #expect(report.isClean && report.artifacts.map(\.state) == [.clean])
      #expect(report.policy.sha256 == pin)
      let other = try Digest.of([], .sha256)
      let error = expectError(.policyPinMismatch) { _ = try ReleasePolicyFile(path, pinned: other) }
      #expect(error?.found == pin.hex)
    }
  }

  @Test("a policy that others may write is accepted by its digest alone")
  func writable() throws {
    let pinned = try Pinned()
    #expect(try pinned.check(ReleasePolicyFile(trusted: pinned.path)).isClean)
    #expect(chmod(pinned.path, 0o666) == 0)
    try pinned.expectPinDecides()
  }

  @Test(
    "a policy that belongs to somebody else is accepted by its digest alone",
    .enabled(if: geteuid() == 0, "only root can give a file away"))
  func foreign() throws {
    let pinned = try Pinned()
    #expect(chown(pinned.path, 65_534, 65_534) == 0)
    try pinned.expectPinDecides()
  }
}
