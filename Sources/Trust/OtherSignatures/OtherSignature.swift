/// A signature that another program has made, as far as it can be named without being verified.
///
/// What it says about itself is a claim: anybody can write such a file. It says which program verifies it.
public struct OtherSignature: Sendable {
  /// The format of the signature.
  public let format: Format
  /// What the signature says about who made it, when, and of what: a name and a text each, in the order of the format.
  public let claims: [Claim]

  /// Something that a signature says about itself.
  public struct Claim: Equatable, Sendable {
    /// The name: `key`, `signer`, `comment`, `made` and so on.
    public let name: String
    /// The text, as it stands in the signature: it can have any characters.
    public let text: String

    /// Something that a signature says.
    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }

    init(_ name: String, _ text: String) { self.init(name: name, text: text) }

    /// Of a signature whose file is not whole.
    static let cutOff = Claim("damage", "the file ends before the signature does")
  }

  init(_ format: Format, _ claims: [Claim] = []) {
    self.format = format
    self.claims = claims
  }
}
