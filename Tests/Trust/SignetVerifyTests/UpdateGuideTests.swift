import Foundation
import SignetSigning
import SignetVerify
import TestSupport
import Testing

@Suite("the guide for updates") struct UpdateGuideTests {
  let folder: TemporaryFolder
  let key: PrivateKey
  let updater: Updater

  init() throws {
    folder = try TemporaryFolder()
    key = try PrivateKey.generate(.ed25519)
    updater = Updater(
      program: try folder.write("tool", [1], mode: 0o755), version: [1, 2, 10], publicKey: key.publicKey.pem)
  }

  /// A release as it was downloaded, and its bundle.
  private func download(_ version: String, _ bytes: [UInt8], as name: String? = nil) throws -> String {
    let claims = try Signer.FileClaims(name: "tool-" + version, signedAt: UnixTime(seconds: 1))
    let bundle = try Signer(key).sign(.bytes(bytes), claims)
    let name = name ?? "tool-" + version
    try folder.write(name + ".sigstore.json", bundle.canonicalBytes())
    return try folder.write(name, bytes)
  }

  @Test("has the program that is compiled here")
  func same() throws {
    let program = try Repository.text("Tests/Trust/SignetVerifyTests/GuideUpdate.swift")
    #expect(try Repository.text("docs/guides/update-a-program.md").contains("```swift\n\(program)```"))
  }

  @Test("replaces the program by a newer release, which can be run")
  func newer() throws {
    try updater.replace(by: download("1.3.0", [2]), version: [1, 3, 0])
    #expect(try folder.read("tool") == [2])
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file("tool"))[.posixPermissions] as? Int
    #expect(mode == 0o755)
    #expect(!FileManager.default.fileExists(atPath: folder.file("tool.new")))
  }

  @Test("leaves the program as it is if the release was changed, or is an older one under the name of a newer")
  func refused() throws {
    let changed = try download("1.3.0", [2])
    try folder.write("tool-1.3.0", [3])
    for (path, code) in [
      (changed, SignetError.Code.digestMismatch),
      (try download("1.2.9", [4], as: "other"), .subjectName),
    ] {
      let refusal = #expect(throws: Refusal.self) { try updater.replace(by: path, version: [1, 3, 0]) }
      #expect(refusal?.reason.code == code)
    }
    for version in [[1, 2, 9], [1, 2, 10]] {
      #expect(throws: Updater.NotNewer.self) { try updater.replace(by: changed, version: version) }
    }
    #expect(try folder.read("tool") == [1])
  }
}
