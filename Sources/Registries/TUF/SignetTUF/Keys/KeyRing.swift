public import SignetBase

/// The `keys` of a root or of delegations: key objects by their stated IDs (specification, section 4.3).
///
/// A key is looked at when it is asked for. A file of many publishers has thousands of keys, of which one search needs
/// a few.
public struct KeyRing: Sendable {
  /// The stated IDs and the objects, in the order of the file.
  public private(set) var entries: [JSONValue.Member]

  /// Makes a ring of keys.
  public init(_ keys: [TUFKey] = []) {
    entries = []
    for key in keys { insert(key) }
  }

  init(members: [JSONValue.Member]) { entries = members }

  /// The key with a stated ID.
  ///
  /// A key whose ID is not the one that its object has is unusable (section 4.3: "Clients MUST calculate each KEYID").
  ///
  /// - Returns: nil if there is no such key.
  /// - Throws: `crypto.failure`.
  public func key(_ id: String) throws(SignetError) -> TUFKey.Use? {
    guard let entry = entries.first(where: { $0.name.isExactly(id) }) else { return nil }
    return try Self.use(entry)
  }

  private static func use(_ entry: JSONValue.Member) throws(SignetError) -> TUFKey.Use {
    do throws(SignetError) {
      let key = try TUFKey(json: entry.value)
      guard try key.isNamed(entry.name) else { return .unusable("its ID should be \(key.id)") }
      return key.use
    } catch  where error.code == .tufNotCanonical {
      return .unusable("it \(error.message)")
    }
  }

  /// A ring of some of the keys, so that a role with many keys does not search a long ring for each of them.
  func subring(_ ids: [String]) -> KeyRing {
    guard ids.count > Self.few else { return self }
    var ring = self
    ring.keep(ids)
    return ring
  }

  /// The number of IDs for which looking through the ring is faster than remembering them.
  private static let few = 8

  /// Adds a key under its ID, unless it is there.
  public mutating func insert(_ key: TUFKey) {
    guard !entries.contains(where: { $0.name.isExactly(key.id) }) else { return }
    entries.append(JSONValue.Member(key.id, key.json))
  }

  /// Removes the keys that none of these IDs names.
  public mutating func keep(_ ids: [String]) {
    let kept = Set(ids.map { Array($0.utf8) })
    entries.removeAll { !kept.contains(Array($0.name.utf8)) }
  }

  /// The ring as JSON.
  public var json: JSONValue { JSONValue(.object(entries)) }
}
