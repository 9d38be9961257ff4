public import SignetBase
public import SignetCrypto

/// An entry of a trust policy: which signers it trusts, for what, and when.
public struct TrustEntry: Hashable, Sendable {
  /// The name of the entry, which is unique in its policy.
  public let name: String
  /// The signers that the entry trusts.
  public let anchor: TrustAnchor
  /// The artifacts that the entry's signers are trusted for: none unless stated.
  public let scope: TrustScope
  /// The time during which the entry counts.
  public let window: Window
  /// The formats that signatures may have to count for the entry.
  public let formats: Set<SignatureFormat>
  /// The keys that follow the entry's own; nil if none was introduced.
  public internal(set) var succession: KeySuccession?

  /// The time during which an entry counts, both ends included.
  public struct Window: Hashable, Sendable, CustomStringConvertible {
    /// The first second of the window; nil if it has no beginning.
    public let from: UnixTime?
    /// The last second of the window; nil if it has no end.
    public let until: UnixTime?

    /// A window without ends.
    public static let always = Window()

    /// Creates a window from its first and last second; nil for an open end.
    public init(from: UnixTime? = nil, until: UnixTime? = nil) {
      self.from = from
      self.until = until
    }

    /// The window, for people.
    public var description: String {
      switch (from, until) {
      case (let from?, let until?): "from \(from) to \(until)"
      case (let from?, nil): "from \(from) on"
      case (nil, let until?): "until \(until)"
      case (nil, nil): "always"
      }
    }

    /// Whether a time is in the window.
    public func contains(_ time: UnixTime) -> Bool {
      if let from, time < from { return false }
      if let until, time > until { return false }
      return true
    }
  }

  /// Creates an entry.
  ///
  /// - Throws: `policy.entry` if the name is invalid, there is no format, or the window ends before it begins.
  public init(
    _ name: String, _ anchor: TrustAnchor, scope: TrustScope, window: Window = .always,
    formats: Set<SignatureFormat> = [.dsse]
  ) throws(SignetError) {
    guard Self.isName(name) else {
      throw SignetError(
        .policyEntry, name, "is not a valid name for an entry",
        expected: "1 to 100 letters, digits, and . _ - @ : / +")
    }
    if let from = window.from, let until = window.until, until < from {
      throw SignetError(.policyEntry, name, "ends before it starts", expected: "\(from) or later", found: "\(until)")
    }
    guard !formats.isEmpty else { throw SignetError(.policyEntry, name, "accepts no format", expected: "dsse") }
    for format in formats.sorted(by: { $0.rawValue < $1.rawValue }) where !anchor.canSign(in: format) {
      throw SignetError(
        .policyEntry, name, "accepts a format in which its signer cannot sign", expected: format.signers,
        found: format.rawValue)
    }
    self.name = name
    self.anchor = anchor
    self.scope = scope
    self.window = window
    self.formats = formats
  }

  private static func isName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._-@:/+".utf8.contains(byte)
        }
      }
  }

  private static let listLimit = 100

  init(_ object: JSONObject, with parts: [PolicyPart]) throws(SignetError) {
    var object = object
    let name = try object.string("name")
    let anchor = try Self.anchor(&object, parts.kinds)
    // Who cannot read them refuses the policy, by an unknown field.
    let succession = try parts.succession.flatMap { (form) throws(SignetError) in
      try anchor.key.flatMap { (key) throws(SignetError) in try object.succession("rotations", from: key, form) }
    }
    let scope = TrustScope(
      modules: try object.modulePatterns("modules", atMost: Self.listLimit),
      uris: try object.uriPatterns("uris", atMost: Self.listLimit),
      files: try object.filePatterns("files", atMost: Self.listLimit))
    let window = Window(from: try object.optionalTime("validFrom"), until: try object.optionalTime("validUntil"))
    var formats: Set<SignatureFormat> = object.has("formats") ? [] : [.dsse]
    for text in try object.strings("formats", atMost: Self.listLimit) {
      guard let format = SignatureFormat(rawValue: text) else {
        throw object.wrong("formats", SignatureFormat.known, text)
      }
      formats.insert(format)
    }
    try object.finish()
    do throws(SignetError) {
      try self.init(name, anchor, scope: scope, window: window, formats: formats)
    } catch {
      throw error.about("\(object.place): \(error.object)")
    }
    self.succession = succession
  }

  private static func anchor(
    _ object: inout JSONObject, _ others: [EntryKind]
  ) throws(SignetError) -> TrustAnchor {
    let own = ["key", "authority", "sameSignerAs", "sameAuthorityAs"]
    let kinds = (own + others.map { $0.signers.field }).filter { object.has($0) }
    guard kinds.count == 1 else {
      throw SignetError(
        .policyEntry, object.place, "does not name exactly one kind of signer",
        expected: "key, authority, sameSignerAs or sameAuthorityAs",
        found: kinds.isEmpty ? "none that this program knows" : kinds.joined(separator: ", "))
    }
    if kinds[0] == "key" { return .key(try object.key("key")) }
    var anchor = try object.object(kinds[0])
    do throws(SignetError) {
      if let kind = others.first(where: { $0.signers.field == kinds[0] }) {
        return try .vouched(kind.signers.init(anchor))
      }
      switch kinds[0] {
      case "authority": return try authority(&anchor)
      case "sameSignerAs":
        let certificate = try anchor.certificate("certificate")
        let issuers = try anchor.certificates("issuers")
        try anchor.finish()
        return .sameSigner(as: certificate, issuers: issuers)
      default:
        let certificate = try anchor.certificate("certificate")
        let issuer = try anchor.certificate("issuer")
        try anchor.finish()
        return try .sameAuthority(as: certificate, issuer: issuer)
      }
    } catch  where error.code == .policyEntry {
      throw error.about("\(anchor.place): \(error.object)")
    }
  }

  private static func authority(_ object: inout JSONObject) throws(SignetError) -> TrustAnchor {
    let certificates = try object.certificates("certificates")
    let intermediates = try object.certificates("intermediates")
    let isAnyLeaf = try object.optionalBool("anyLeaf") ?? false
    var identities: [SignerIdentity] = []
    for text in try object.strings("identities", atMost: listLimit) {
      // The kind is required, so that a policy leaves nothing to guess.
      guard let identity = SignerIdentity(text), identity.description.isExactly(text) else {
        throw object.wrong("identities", "names such as email:release@example.com", text)
      }
      guard !identities.contains(identity) else { throw object.wrong("identities", "each name once", text) }
      identities.append(identity)
    }
    guard !isAnyLeaf || identities.isEmpty else {
      throw object.wrong("anyLeaf", "identities or anyLeaf, not both", "both")
    }
    try object.finish()
    return isAnyLeaf
      ? try .anyLeaf(of: certificates, intermediates: intermediates)
      : try .authority(certificates, intermediates: intermediates, identities: identities)
  }
}

/// The keys with which the signer of an entry signs, one after the other, each in its time.
///
/// Who reads a policy says which form the statements have that introduce keys (``PolicyPart``).
public struct KeySuccession: Hashable, Sendable {
  /// The entry's own key, and those that follow.
  public let keys: [PublicKey]
  /// When a signature by each of them counts.
  package let windows: [TrustEntry.Window]
  /// The statements by which each key introduces the next one, as a policy has them.
  package let proofs: [[UInt8]]

  package init(_ keys: [(key: PublicKey, window: TrustEntry.Window)], proofs: [[UInt8]]) {
    (self.keys, windows, self.proofs) = (keys.map(\.key), keys.map(\.window), proofs)
  }
}

/// Reads the statements by which a key introduces the next one.
package protocol SuccessionReader: Sendable {
  /// - Throws: if they do not lead from one key to the next, beginning with the given one.
  static func read(_ proofs: [[UInt8]], from key: PublicKey) throws(SignetError) -> KeySuccession
}

/// A form of the statements by which a key introduces the next one, and what reads it.
public struct SuccessionForm: Sendable {
  let reader: any SuccessionReader.Type
  package init(_ reader: any SuccessionReader.Type) { self.reader = reader }
}

extension TrustEntry {
  /// The keys that sign for the entry without a certificate.
  package var keys: [PublicKey] { succession?.keys ?? [anchor.bareKey].compactMap(\.self) }

  /// The same entry, whose signer also signs with the keys that its own one has introduced.
  package func succeeded(by succession: KeySuccession) -> TrustEntry {
    precondition(succession.keys.first == anchor.key)
    var entry = self
    entry.succession = succession
    return entry
  }

  /// Why a key of the entry does not count at a time; nil if it does.
  func objection(to key: PublicKey, _ label: String, at time: UnixTime) -> SignetError? {
    guard let succession, let index = succession.keys.firstIndex(of: key), !succession.windows[index].contains(time)
    else { return nil }
    return SignetError(
      .signerOutsideWindow, label, "is signed by a key that its signer does not use at this time",
      expected: "\(name): \(succession.windows[index]) by \(key.id)", found: "\(time)",
      hint: "get the newest release from the publisher")
  }
}

extension TrustAnchor {
  /// Whether the signers can have signed in a format.
  func canSign(in format: SignatureFormat) -> Bool {
    switch (format.name, kind) {
    case ("dsse", _): true
    case ("message", .vouched): true
    case ("minisign", .key(let key)), ("signify", .key(let key)): key.algorithm == .ed25519
    case ("ssh", .key): true
    case ("raw", .key(let key)): (key.algorithm == .ed25519) == (format == .raw)
    case (_, .vouched(let anchor)): anchor.signers.formats.contains(format.name)
    default: false
    }
  }
}

extension TrustEntry {
  /// Whether signatures of a format can count for the entry.
  package func accepts(_ format: SignatureFormat) -> Bool { formats.contains { $0.covers(format) } }
}
