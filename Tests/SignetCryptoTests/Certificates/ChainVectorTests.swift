import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

/// Every folder below `Tests/Vectors/chains`: one chain, one fault, one code. A new case needs no code.
@Suite struct ChainVectorTests {
  static let folder = "Tests/Vectors/chains"
  static let names =
    (try? FileManager.default.contentsOfDirectory(atPath: Repository.root + "/" + folder))?
    .filter { FileManager.default.fileExists(atPath: "\(Repository.root)/\(folder)/\($0)/expected") }.sorted() ?? []

  /// The files of a case; those that are not there hold nothing.
  struct Case {
    let name: String

    func bytes(_ file: String) throws -> SecretBytes? {
      let path = "\(ChainVectorTests.folder)/\(name)/\(file)"
      guard FileManager.default.fileExists(atPath: Repository.root + "/" + path) else { return nil }
      return SecretBytes(try Repository.bytes(path))
    }
    func certificates(_ file: String) throws -> [Certificate] { try bytes(file).map(Certificate.all) ?? [] }
    func time() throws -> UnixTime {
      guard let line = try bytes("time") else { return try #require(UnixTime("2026-11-21T00:00:00Z")) }
      let text = line.withBytes { line in String(decoding: (0..<20).map { line[$0] }, as: UTF8.self) }
      return try #require(UnixTime(text))
    }
    func verifier() throws -> CertificateChainVerifier {
      CertificateChainVerifier(
        anchors: try certificates("anchors.pem"), intermediates: try certificates("intermediates.pem"),
        revocationLists: try bytes("crls.pem").map(RevocationList.all) ?? [])
    }
    func verify() throws -> CertificatePath {
      try verifier().verify(try #require(certificates("leaf.pem").first), at: time())
    }
  }

  @Test("the vector has the verdict it names", arguments: names)
  func vector(name: String) throws {
    let expected = try #require(
      try Repository.text("\(Self.folder)/\(name)/expected").split(separator: "\n").first
    ).split(separator: " ").map(String.init)
    if expected[0] == "verified" {
      let vector = Case(name: name)
      let path = try vector.verify()
      #expect(path.certificates.count == Int(expected[1]))
      #expect(path.certificates.first == path.leaf)
      #expect(path.certificates.last == path.anchor)
      #expect(try vector.certificates("anchors.pem").contains(path.anchor))
      #expect(path.issuer == (path.certificates.count > 1 ? path.certificates[1] : nil))
    } else {
      let error = expectError(SignetError.Code(expected[0])) { _ = try Case(name: name).verify() }
      #expect(error?.hint?.contains("ignore") != true)
    }
  }

  @Test("there are vectors")
  func some() { #expect(Self.names.count > 400) }

  @Test("a refusal by OpenSSL carries its whole reason")
  func cause() throws {
    let error = expectError(.chainSignature) { _ = try Case(name: "spoilt-leaf").verify() }
    let reasons = try #require((error?.cause as? OpenSSLFailure)?.reasons)
    #expect(reasons.first == "certificate signature failure")
    #expect(
      error?.object == "certificate CN=Leaf,O=Signet (serial 1001)" || error?.object.contains("CN=Leaf") == true)
  }

  @Test("threads may share a verifier and its certificates")
  func threads() async throws {
    let vector = Case(name: "verified-rsa")
    let verifier = try vector.verifier()
    let leaf = try #require(vector.certificates("leaf.pem").first)
    let time = try vector.time()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<20 { #expect((try? verifier.verify(leaf, at: time))?.leaf == leaf) } }
      }
    }
  }

  @Test("no change of one bit of a list takes back a revocation")
  func listBits() throws {
    // The leaf names the list's issuer and the list names the leaf's: one bit cannot change both.
    let vector = Case(name: "revoked-indirect")
    let file = try #require(try vector.bytes("crls.pem"))
    let list = try #require(RevocationList.all(in: file).first).der
    let leaf = try #require(vector.certificates("leaf.pem").first)
    let anchors = try vector.certificates("anchors.pem")
    let intermediates = try vector.certificates("intermediates.pem")
    let time = try vector.time()
    for position in 0..<list.count * 8 {
      var changed = list
      changed[position / 8] ^= 1 << UInt8(position % 8)
      do throws(SignetError) {
        let verifier = CertificateChainVerifier(
          anchors: anchors, intermediates: intermediates, revocationLists: [try RevocationList(der: changed)])
        _ = try verifier.verify(leaf, at: time)
        Issue.record("bit \(position) takes the revocation back")
      } catch {
        // The leaf itself is refused only for what the list says.
        let isAboutTheList = error.code.rawValue.hasPrefix("crl.") || error.code == .chainRevoked
        #expect(isAboutTheList, "bit \(position): \(error)")
      }
    }
  }

  @Test(
    "every change of one bit of a leaf is refused under the CA",
    arguments: ["verified", "verified-rsa", "verified-extensions"])
  func bits(name: String) throws {
    let vector = Case(name: name)
    let leaf = try #require(vector.certificates("leaf.pem").first).der
    let verifier = try vector.verifier()
    let time = try vector.time()
    for position in 0..<leaf.count * 8 {
      var changed = leaf
      changed[position / 8] ^= 1 << UInt8(position % 8)
      do throws(SignetError) {
        _ = try verifier.verify(try Certificate(der: changed), at: time)
        Issue.record("bit \(position) does not count")
      } catch {
        let family = error.code.rawValue.split(separator: ".").first
        #expect(family == "certificate" || family == "chain", "bit \(position): \(error)")
      }
    }
  }
}
