/// A module that is on offer. A catalogue is only somebody's word: what an item leads to is verified, whatever the item says.
public struct StoreItem: Decodable, Equatable, Sendable {
  /// The module's identifier.
  public let identifier: String
  /// The version that is on offer.
  public let version: String
  /// What people call it.
  public let title: String?
  /// Where the archive is, on this machine.
  public let path: String?
  /// Where the archive is, elsewhere.
  public let url: String?

  /// Makes an item.
  public init(identifier: String, version: String, title: String? = nil, path: String? = nil, url: String? = nil) {
    self.identifier = identifier
    self.version = version
    self.title = title
    self.path = path
    self.url = url
  }
}
