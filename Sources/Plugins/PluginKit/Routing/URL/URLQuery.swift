/// The parameters after the `?` of a URL, in order.
public struct URLQuery: Hashable, Sendable {
  /// A parameter: name and value, each decoded once.
  public struct Item: Hashable, Sendable {
    /// The name; empty in `=v`.
    public let name: String
    /// The value; nil without `=`, empty if nothing follows it.
    public let value: String?

    /// Two parameters are equal if all bytes of their names and values are.
    public static func == (one: Item, other: Item) -> Bool {
      one.name.isSame(as: other.name) && one.value.map(ExactText.init) == other.value.map(ExactText.init)
    }

    /// Makes a parameter.
    public init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// All parameters; a name may occur more than once.
  public let items: [Item]

  /// Makes parameters from items, in their order.
  public init(_ items: [Item] = []) { self.items = items }

  /// The value of the last parameter with this name that has a value.
  public subscript(name: String) -> String? { items.last { $0.name.isSame(as: name) && $0.value != nil }?.value }

  /// The values of all parameters with this name that have one.
  public func values(of name: String) -> [String] { items.compactMap { $0.name.isSame(as: name) ? $0.value : nil } }

  /// Names and values. The last value of a name counts, and parameters without a value do not.
  public var dictionary: [String: String] {
    var result: [String: String] = [:]
    for item in items { if let value = item.value { result[item.name] = value } }
    return result
  }

  /// The query as text, encoded; empty if there are no parameters.
  var encoded: String {
    items.map { item in
      PercentCoding.encode(item.name) + (item.value.map { "=" + PercentCoding.encode($0) } ?? "")
    }.joined(separator: "&")
  }

  /// Splits at `&` and then at the first `=`. Each part is decoded once, and a plus is a space.
  static func parse(_ bytes: ArraySlice<UInt8>, limit: Int) -> URLQuery? {
    guard !bytes.isEmpty else { return URLQuery([]) }
    let pieces = split(bytes)
    guard pieces.count <= limit else { return nil }
    return URLQuery(pieces.map { item($0) { PercentCoding.decode($0, plusIsSpace: true) } })
  }

  static func split(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true)
  }

  /// A parameter, split and then read name by name and value by value.
  static func item(_ piece: ArraySlice<UInt8>, _ read: (ArraySlice<UInt8>) -> String) -> Item {
    guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return Item(name: read(piece), value: nil) }
    return Item(name: read(piece[..<equals]), value: read(piece[(equals + 1)...]))
  }
}
