internal import Keyless
internal import Signet
internal import SignetBase
internal import SignetTUF

/// Identities as a delegation states them: a list of what stands in a policy as an entry's `sigstore`.
///
/// The Update Framework has no such field, and its clients pass it over: what they verify is signed by keys.
struct PublisherIdentities {
  private let objects: [JSONValue]

  private static let field = "x-signet-identities"
  /// The most objects: each can be a hundred identities.
  private static let limit = 8

  /// The identities of a delegation; none if it states none.
  ///
  /// - Throws: `repo.identities` for another form, and what ``TrustAnchor/init(sigstore:_:)`` throws.
  static func read(from role: DelegatedRole) throws(SignetError) -> [TrustAnchor] {
    guard let stated = role.unknown.first(where: { $0.name.isExactly(field) }) else { return [] }
    let path = "publisher \(role.name.display)"
    guard case .array(let values) = stated.value.content, (1...limit).contains(values.count) else {
      throw SignetError(
        .repoIdentities, path, "states identities in a form that is not known",
        expected: "a list of 1 to \(limit) objects", hint: "use a newer version of Signet")
    }
    var identities: [TrustAnchor] = []
    for value in values { identities.append(try TrustAnchor(sigstore: value, path)) }
    return identities
  }

  /// - Throws: `repo.identities` for signers who are known otherwise, and for too many.
  init(_ anchors: [TrustAnchor]) throws(SignetError) {
    var objects: [JSONValue] = []
    for anchor in anchors {
      guard let object = anchor.sigstore else {
        throw SignetError(
          .repoIdentities, "\(anchor)".display, "is no identity that an instance of Sigstore proves",
          expected: "entries of a policy with sigstore", hint: "name keys as the publisher's keys")
      }
      objects.append(object)
    }
    guard objects.count <= Self.limit else {
      throw SignetError(
        .repoIdentities, "publisher", "has too many entries with identities",
        expected: "at most \(Self.limit), each with up to 100 identities", found: "\(objects.count)")
    }
    self.objects = objects
  }

  /// Replaces what a delegation states.
  func write(to role: inout DelegatedRole) {
    role.unknown.removeAll { $0.name.isExactly(Self.field) }
    guard !objects.isEmpty else { return }
    role.unknown.append(JSONValue.Member(Self.field, JSONValue(.array(objects))))
  }

  /// What a field of a delegation means, for a person who signs it: all of it, as it is stated; nil for other fields.
  static func words(for field: JSONValue.Member) -> String? {
    guard field.name.isExactly(Self.field) else { return nil }
    guard let text = try? OLPCJSON.encode(field.value) else { return nil }
    return "identities may sign its modules, too: \(String(decoding: text, as: UTF8.self).visible)"
  }
}
