import Keyless
import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct SigstoreTrustedRootTests {
  @Test("certificates of one name, which can be put into a row in very many ways, are not")
  func chains() throws {
    let root = try TestAuthority("/CN=Root")
    let others = try (1...6).map { serial in
      try root.certify(
        PrivateKey.generate(.p256), "/CN=Root", serial: serial, extensions: TestAuthority.authorityExtensions)
    }
    func export(_ count: Int) throws {
      let anchor = try TrustAnchor.anyLeaf(of: [root.certificate], intermediates: Array(others[..<count]))
      _ = try TrustEntry("one", anchor, scope: .everything).sigstoreTrustedRoot()
    }
    try export(0)
    try export(4)
    expectError(.policyEntry) { try export(6) }
  }
}
