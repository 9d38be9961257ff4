package import SignetBase
package import SignetCrypto
internal import TransparencyLog

/// Whom a certificate of Fulcio names: an identity, and who has established it (Fulcio's `oid-info.md`).
package struct CertifiedIdentity: Sendable, Hashable {
  /// The subject alternative name: an address of mail, a URI, or a user's name.
  package let identity: String
  /// Who has established the identity; nil for authorities that do not say it.
  package let issuer: String?
  /// What the certificate says about a workflow, by the names of Fulcio.
  package let claims: [Claim]

  /// What the certificate says by a name; nil if it does not.
  package func claim(_ name: String) -> String? { claims.first { $0.name.isExactly(name) }?.text }

  /// Who counts as one signer: the identity, and for a workflow its address without the ref that it ran for.
  var holder: String {
    guard claim("repository") != nil, identity.contains("://"),
      let sign = identity.utf8.firstIndex(of: UInt8(ascii: "@"))
    else { return identity }
    return String(decoding: Array(identity.utf8[..<sign]), as: UTF8.self)
  }

  /// The issuer of GitHub's workflows.
  package static let gitHub = "https://token.actions.githubusercontent.com"

  /// Something that a certificate says.
  package struct Claim: Sendable, Hashable {
    package let name: String
    package let text: String
  }

  init(_ identity: String, issuer: String?, _ claims: [Claim]) {
    (self.identity, self.issuer, self.claims) = (identity, issuer, claims)
  }

  /// 1.3.6.1.4.1.57264.1.N
  private static func fulcio(_ number: UInt8) -> OID {
    .other(0x2b, 0x06, 0x01, 0x04, 0x01, 0x83, 0xbf, 0x30, 0x01, number)
  }

  /// The extensions whose values are texts in DER.
  private static let names: [(UInt8, String)] = [
    (9, "build signer"), (10, "build signer digest"), (11, "runner"), (12, "repository"), (13, "commit"), (14, "ref"),
    (15, "repository number"), (16, "owner"), (17, "owner number"), (18, "workflow"), (19, "workflow digest"),
    (20, "trigger"), (21, "run"), (22, "visibility"),
  ]

  /// Whether an authority of Sigstore has made a certificate, by what it says of who has established the identity.
  package static func names(_ certificate: Certificate) -> Bool {
    guard let body = CertificateBody(certificate) else { return false }
    return [fulcio(1), fulcio(8)].contains { body.value(of: $0) != nil }
  }

  /// Reads the names of a certificate.
  ///
  /// - Throws: `keyless.identity` unless it has exactly one name.
  package init(_ certificate: Certificate) throws(SignetError) {
    guard let body = CertificateBody(certificate) else { throw Self.refusal(certificate, "cannot be read") }
    let names = certificate.subjectAlternativeNames
    guard names.count == 1, let identity = Self.text(names[0]) else {
      throw Self.refusal(certificate, "does not name exactly one identity")
    }
    self.identity = identity
    if let value = body.value(of: Self.fulcio(8)) {
      issuer = try Self.text(value, certificate)
    } else if let value = body.value(of: Self.fulcio(1)) {
      // The older extension holds the text without DER around it.
      guard let text = String(validating: value, as: UTF8.self) else {
        throw Self.refusal(certificate, "names an issuer that is no text")
      }
      issuer = text
    } else {
      issuer = nil
    }
    var claims: [Claim] = []
    for (number, name) in Self.names {
      guard let value = body.value(of: Self.fulcio(number)) else { continue }
      // One that is no text says nothing, and the older extension does not stand for it.
      if let text = try? Self.text(value, certificate) { claims.append(Claim(name: name, text: text)) }
    }
    for (number, name) in Self.olderNames where !claims.contains(where: { $0.name.isExactly(name) }) {
      guard let value = body.value(of: Self.fulcio(number)), let text = String(validating: value, as: UTF8.self)
      else {
        continue
      }
      // The older extension names a repository of GitHub without its address.
      guard name.isExactly("repository") else {
        claims.append(Claim(name: name, text: text))
        continue
      }
      if issuer.map({ Self.gitHub.isExactly($0) }) ?? false {
        claims.append(Claim(name: name, text: "https://github.com/\(text)"))
      }
    }
    self.claims = claims
  }

  /// The extensions of GitHub's workflows before 2023, whose values are texts without DER around them.
  private static let olderNames: [(UInt8, String)] = [(2, "trigger"), (3, "commit"), (5, "repository"), (6, "ref")]

  /// The name of a user of another system, in Fulcio's otherName (`oid-info.md`, 1.3.6.1.4.1.57264.1.7).
  private static let userName = "otherName:1.3.6.1.4.1.57264.1.7;"

  private static func text(_ name: SubjectAlternativeName) -> String? {
    switch name.kind {
    case .email, .uri: return name.text
    case .other where name.text.utf8.starts(with: userName.utf8):
      guard
        let der = Hexadecimal.decode(String(decoding: name.text.utf8.dropFirst(userName.utf8.count), as: UTF8.self))
      else { return nil }
      var reader = DERReader(der)
      guard let bytes = reader.element(DERElement.utf8String)?.rest, reader.isAtEnd else { return nil }
      return String(validating: bytes, as: UTF8.self)
    case .dns, .ip, .other: return nil
    }
  }

  private static func text(_ value: [UInt8], _ certificate: Certificate) throws(SignetError) -> String {
    var reader = DERReader(value)
    guard let bytes = reader.element(DERElement.utf8String)?.rest, reader.isAtEnd,
      let text = String(validating: bytes, as: UTF8.self)
    else { throw refusal(certificate, "has an extension of Fulcio that is no text") }
    return text
  }

  private static func refusal(_ certificate: Certificate, _ what: String) -> SignetError {
    SignetError(.keylessIdentity, "certificate \(certificate)", what, expected: "one name, as Fulcio certifies it")
  }
}

extension CertifiedIdentity: CustomStringConvertible {
  /// The identity, its issuer, and the repository and ref of a workflow, for people.
  package var description: String {
    let claims = ["repository", "ref"].compactMap { name in claim(name).map { ", \(name) \($0)" } }
    return "\(identity) (by \(issuer ?? "nobody"))\(claims.joined())"
  }
}
