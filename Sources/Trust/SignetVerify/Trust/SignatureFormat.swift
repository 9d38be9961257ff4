internal import SignetBase
internal import SignetCrypto

/// The format of a signature: which bytes it covers. A signature for one purpose is never accepted for another.
///
/// All but ``dsse`` cover the bytes of a file alone, without a name, kind or version.
public struct SignatureFormat: RawRepresentable, Hashable, Sendable {
  /// The format's name, and behind a colon what narrows it.
  public let rawValue: String

  /// The pre-authentication encoding of a DSSE envelope.
  public static let dsse = Self(unchecked: "dsse")
  /// The bytes of a file alone, for signers whom others vouch for.
  public static let message = Self(unchecked: "message")
  /// minisign's, by any key number.
  public static let minisign = Self(unchecked: "minisign")
  /// signify's, by any key number.
  public static let signify = Self(unchecked: "signify")

  /// A bare signature over the file itself, by Ed25519. Other keys sign one of its digests, such as `raw:sha256`.
  public static let raw = Self(unchecked: "raw")

  private init(unchecked name: String) { rawValue = name }

  /// The format of a program, narrowed by a key number or a namespace.
  package init(_ name: String, _ narrow: String) { rawValue = "\(name):\(narrow)" }

  /// The format with this name; nil if Signet does not verify it.
  ///
  /// `minisign` and `signify` can name the number of the key, such as `minisign:E7620F1842B4E81F`. `ssh` must name a
  /// namespace, such as `ssh:file`.
  public init?(rawValue: String) {
    let parts = rawValue.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let isKnown =
      switch (parts[0], parts.dropFirst().first) {
      case ("dsse", nil), ("message", nil), ("minisign", nil), ("signify", nil), ("raw", nil): true
      case ("raw", let digest?): DigestAlgorithm(rawValue: digest) != nil
      case ("minisign", let number?), ("signify", let number?): Self.isNumber(number)
      case ("ssh", let namespace?): Self.isNamespace(namespace)
      default: false
      }
    guard isKnown else { return nil }
    self.rawValue = rawValue
  }

  private static func isNumber(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0)
      }
  }

  /// Whether a text can be a namespace: OpenSSH's own cannot have blanks, quotes and commas in its files.
  package static func isNamespace(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && !"\",*?!".utf8.contains($0) }
  }

  /// What policies can name, for messages.
  static let known = "dsse, message, minisign, signify, ssh:NAMESPACE, raw or raw:sha256"

  /// The name alone.
  package var name: String { String(rawValue.prefix { $0 != ":" }) }

  /// Whether it is one of another program, over the bytes of a file alone.
  package var isOfOtherProgram: Bool { self != .dsse && self != .message }

  /// Whether a signature of another format is one of this, too: of the same name, by any key.
  package func covers(_ other: SignatureFormat) -> Bool {
    rawValue.isExactly(other.rawValue) || rawValue.isExactly(other.name)
  }

  /// Who can sign in the format, for messages.
  var signers: String {
    switch name {
    case "dsse": "any signer"
    case "message": "sigstore, with that format"
    case "minisign", "signify": "an Ed25519 key, with that format"
    case "raw": "an Ed25519 key with raw, another key with raw:sha256"
    default: "a key, with that format"
    }
  }
}
