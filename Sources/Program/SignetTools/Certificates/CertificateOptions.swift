internal import ArgumentParser
internal import CertificateAuthority
internal import Signet

/// Who a certificate is for.
struct HolderOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The holder's name, such as CN=Release,O=Example,C=CH; without types, its CN.", valueName: "name"))
  var subject: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Another name that verifiers can demand: email:A, uri:U or dns:H. Repeatable.", valueName: "name"))
  var identity: [String] = []

  func validate() throws {
    for name in identity {
      // A word alone was meant as somebody's name.
      let isWord = !name.contains(":") && !name.contains("@") && !name.contains(".")
      guard let identity = SignerIdentity(name), identity.kind != .subject, !isWord else {
        throw ValidationError("--identity \(name) is not an address of mail, a URI or a host name.")
      }
    }
  }

  /// The names besides the subject.
  var identities: [SignerIdentity] { identity.compactMap { SignerIdentity($0) } }
}

/// How long a certificate of a signer is valid, and where its revocation is told.
struct ValidityOptions: ParsableArguments {
  @Option(name: .long, help: ArgumentHelp("How many days it is valid.", valueName: "number"))
  var days = Authority.signerDays

  @Option(
    name: .long,
    help: ArgumentHelp("Where you publish the authority's revocation list.", valueName: "url"))
  var crlUrl: String?

  func validate() throws {
    guard (1...36_500).contains(days) else { throw ValidationError("--days takes a number from 1 to 36500.") }
    if let crlUrl,
      !crlUrl.hasPrefix("http://") && !crlUrl.hasPrefix("https://")
        || !crlUrl.utf8.allSatisfy({ (0x21..<0x7f).contains($0) })
    {
      throw ValidationError("--crl-url takes an address such as http://example.com/team.crl.")
    }
  }
}
