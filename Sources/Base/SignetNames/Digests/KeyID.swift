internal import SignetBase

/// A key ID: the OpenSSH fingerprint of a public key, as `ssh-keygen -l` prints it.
///
/// It is `SHA256:` and the unpadded base64 of SHA-256 over the public key in SSH wire form (RFC 4253, section 6.6;
/// RFC 8709; RFC 5656). It narrows a search, and proves nothing.
public struct KeyID: Hashable, Sendable, CustomStringConvertible {
  /// The fingerprint.
  public let description: String

  /// The key ID with this fingerprint, which has 32 bytes.
  package init(fingerprint: [UInt8]) {
    var text = Base64.encode(fingerprint)
    while text.utf8.last == UInt8(ascii: "=") { text.removeLast() }
    description = "SHA256:\(text)"
  }

  /// Reads a key ID, `SHA256:` and the unpadded base64 of 32 bytes; nil for any other text.
  public init?(_ text: String) {
    let prefix = "SHA256:"
    guard text.utf8.starts(with: prefix.utf8) else { return nil }
    let encoded = String(decoding: text.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) + "="
    guard (try? Base64.decode(encoded))?.count == 32 else { return nil }
    description = text
  }

  /// Whether a hint found in some data is this key ID, byte for byte.
  public func matches(_ hint: String) -> Bool { description.utf8.elementsEqual(hint.utf8) }
}
