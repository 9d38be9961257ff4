import Foundation
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

/// Chains and lists as the openssl program makes them, with kinds of signature that differ each time.
@Suite struct OpenSSLChainTests {
  /// A small CA in a folder.
  final class Authority {
    let folder: TemporaryFolder
    private let openssl: String

    init(_ key: [String], _ extra: [String] = []) throws {
      folder = try TemporaryFolder()
      openssl = try #require(Program.find("openssl"), "make test installs openssl")
      let configuration = """
        [ca]
        default_ca=own
        [own]
        database=index
        default_md=default
        default_crl_days=30
        crlnumber=number
        [dn]
        [req]
        distinguished_name=dn
        [root]
        basicConstraints=critical,CA:TRUE
        keyUsage=critical,keyCertSign,cRLSign
        subjectKeyIdentifier=hash
        [inter]
        basicConstraints=critical,CA:TRUE,pathlen:0
        keyUsage=critical,keyCertSign,cRLSign
        subjectKeyIdentifier=hash
        authorityKeyIdentifier=keyid
        [leaf]
        keyUsage=critical,digitalSignature
        extendedKeyUsage=codeSigning
        subjectKeyIdentifier=hash
        authorityKeyIdentifier=keyid
        subjectAltName=URI:https://example.com/signer
        [list]
        authorityKeyIdentifier=keyid

        """
      try folder.write("config", Array(configuration.utf8))
      try folder.write("index", [])
      try folder.write("number", Array("01\n".utf8))
      for name in ["root", "inter", "leaf"] { try run(["genpkey"] + key + ["-out", "\(name).key"]) }
      try run(
        ["req", "-x509", "-config", "config", "-extensions", "root", "-subj", "/O=Test/CN=Root", "-key", "root.key"]
          + ["-days", "30", "-out", "root.pem"] + extra)
      try issue("inter", by: "root", extra)
      try issue("leaf", by: "inter", extra)
    }

    func run(_ arguments: [String]) throws {
      let result = try Program.run(openssl, arguments, in: folder.path)
      try #require(result.status == 0, "\(arguments): \(result.errors)")
    }

    private func issue(_ name: String, by issuer: String, _ extra: [String]) throws {
      try run(
        ["req", "-new", "-config", "config", "-subj", "/O=Test/CN=\(name)", "-key", "\(name).key"]
          + ["-out", "\(name).csr"])
      try run(
        ["x509", "-req", "-in", "\(name).csr", "-CA", "\(issuer).pem", "-CAkey", "\(issuer).key", "-days", "30"]
          + ["-extfile", "config", "-extensions", name, "-out", "\(name).pem"] + extra)
    }

    func certificate(_ name: String) throws -> Certificate {
      try #require(try Certificate.all(in: SecretBytes(folder.read("\(name).pem"))).first)
    }

    func revoke(_ extra: [String]) throws -> [RevocationList] {
      let signer = ["-config", "config", "-cert", "inter.pem", "-keyfile", "inter.key"]
      try run(["ca"] + signer + ["-revoke", "leaf.pem", "-crl_reason", "keyCompromise"])
      try run(["ca"] + signer + ["-gencrl", "-crlexts", "list", "-out", "inter.crl"] + extra)
      return try RevocationList.all(in: SecretBytes(folder.read("inter.crl")))
    }
  }

  static let kinds: [String: ([String], [String])] = [
    "ed25519": (["-algorithm", "ED25519"], []),
    "p256": (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], []),
    "p384": (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"], ["-sha384"]),
    "rsa": (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072"], []),
    "rsa-pss": (
      ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072"],
      ["-sha256", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"]
    ),
  ]

  @Test("a chain by openssl is verified, and its list is honoured", .slow, arguments: kinds.keys.sorted())
  func chain(kind: String) throws {
    let (key, extra) = try #require(Self.kinds[kind])
    let authority = try Authority(key, extra)
    let leaf = try authority.certificate("leaf")
    let now = UnixTime(seconds: Int64(Date().timeIntervalSince1970))
    func verifier(_ lists: [RevocationList]) throws -> CertificateChainVerifier {
      CertificateChainVerifier(
        anchors: [try authority.certificate("root")], intermediates: [try authority.certificate("inter")],
        revocationLists: lists)
    }
    let path = try verifier([]).verify(leaf, at: now)
    #expect(path.certificates.count == 3)
    #expect(leaf.subjectAlternativeNames.map(\.description) == ["uri:https://example.com/signer"])
    let lists = try authority.revoke(kind == "ed25519" ? ["-md", "null"] : extra.filter { !$0.hasPrefix("-sha") })
    let error = expectError(.chainRevoked) { _ = try verifier(lists).verify(leaf, at: now) }
    let found = try #require(error?.found)
    #expect(lists.contains { found.hasSuffix("reason: keyCompromise, by the list of \($0.thisUpdate)") }, "\(found)")
  }
}
