import SignetSigning
import SignetVerify
import TestSupport
import Testing

@Suite("the guide for downloads") struct GuideDownloadTests {
  @Test("its program says who has signed a download, or why it is refused")
  func download() throws {
    let folder = try TemporaryFolder()
    let key = try PrivateKey.generate(.ed25519)
    let path = try folder.write("tool", [1, 2, 3])
    let claims = try Signer.FileClaims(name: "tool", signedAt: UnixTime(seconds: 1))
    let bundle = try Signer(key).sign(.file(RegularFile(opening: path)), claims)
    try folder.write("tool.sigstore.json", bundle.canonicalBytes())
    #expect(try check(path, against: key.publicKey.pem) == "verified: tool, signed by \(key.publicKey.id)")
    try folder.write("tool", [1, 2, 4])
    #expect(try check(path, against: key.publicKey.pem).hasPrefix("refused: digest.mismatch: tool: "))
  }
}
