/// A request to make a page, as its factory receives it.
public struct PageRequest: Sendable {
  /// The name of the page, as it is registered.
  public let name: String
  /// The parameters that the URL sets: only those that the module's description accepts for the page.
  public let parameters: [String: String]
  /// The names of the other parameters, which are dropped.
  public let dropped: [String]
  /// The caller's values. They come from code, never from a URL.
  public let userInfo: [String: any Sendable]
  /// The owner of the code that asks for the page: the host, or a module.
  public let sender: ModuleOwner
}

/// Parameters of a URL that were dropped, because the description does not accept them for the page.
public struct DroppedParameters: Sendable, Equatable {
  /// The owner of the page.
  public let owner: ModuleOwner
  /// The name of the page.
  public let page: String
  /// The names of the parameters, sorted.
  public let names: [String]
}
