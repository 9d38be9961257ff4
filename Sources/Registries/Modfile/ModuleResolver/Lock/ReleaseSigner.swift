internal import SignetBase
public import SignetNames

/// Who signed a release in a registry when it was pushed: a key, or an identity that an instance of Sigstore proved.
public enum ReleaseSigner: Hashable, Sendable, CustomStringConvertible {
  /// The owner of a key.
  case key(KeyID)
  /// An identity, as it stands in the certificate: an address of mail, a URI such as that of a workflow, or a user of another
  /// system (`name!system`).
  case identity(String)

  /// The longest identity in bytes, as long as a URI that programs take.
  private static let lengthLimit = 2048

  /// Reads the ID of a key, or an identity; nil for anything else. An identity is printable ASCII without spaces, with `@`, `!`
  /// or a dot, which no ID of a key has.
  public init?(_ text: String) {
    if let key = KeyID(text) {
      self = .key(key)
      return
    }
    guard text.utf8.count <= Self.lengthLimit, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      text.utf8.contains(where: { "@!.".utf8.contains($0) })
    else { return nil }
    self = .identity(text)
  }

  /// The text that it is read from.
  public var description: String {
    switch self {
    case .key(let key): key.description
    case .identity(let name): name
    }
  }
}
