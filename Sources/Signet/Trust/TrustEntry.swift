public import SignetBase
internal import SignetCrypto

/// One entry of a trust policy: whom it trusts, for what, and when.
public struct TrustEntry: Hashable, Sendable {
  /// What the entry is called; every name stands once in a policy.
  public let name: String
  /// Whom it trusts.
  public let anchor: TrustAnchor
  /// What it may speak for; nothing unless said.
  public let scope: TrustScope
  /// When it holds.
  public let window: Window
  /// The formats its signatures may have.
  public let formats: Set<SignatureFormat>

  /// From when to when an entry holds, both ends included; nil for no bound.
  public struct Window: Hashable, Sendable, CustomStringConvertible {
    /// The first second.
    public let from: UnixTime?
    /// The last second.
    public let until: UnixTime?

    /// Always.
    public static let always = Window()

    /// A window.
    public init(from: UnixTime? = nil, until: UnixTime? = nil) {
      self.from = from
      self.until = until
    }

    /// Both ends, for people.
    public var description: String {
      switch (from, until) {
      case (let from?, let until?): "from \(from) to \(until)"
      case (let from?, nil): "from \(from) on"
      case (nil, let until?): "until \(until)"
      case (nil, nil): "always"
      }
    }

    /// Whether a time lies in it.
    public func contains(_ time: UnixTime) -> Bool {
      if let from, time < from { return false }
      if let until, time > until { return false }
      return true
    }
  }

  /// An entry.
  ///
  /// - Throws: `policy.entry` when it has no proper name, no format, or a window that ends before it begins.
  public init(
    _ name: String, _ anchor: TrustAnchor, scope: TrustScope, window: Window = .always,
    formats: Set<SignatureFormat> = [.dsse]
  ) throws(SignetError) {
    guard Self.isName(name) else {
      throw SignetError(
        .policyEntry, name, "is no name for an entry", expected: "1 to 100 letters, digits, and . _ - @ : / +")
    }
    if let from = window.from, let until = window.until, until < from {
      throw SignetError(.policyEntry, name, "ends before it begins", expected: "\(from) or later", found: "\(until)")
    }
    guard !formats.isEmpty else { throw SignetError(.policyEntry, name, "accepts no format", expected: "dsse") }
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
}

/// What a signature is over: a signature made for one purpose is never accepted for another.
public struct SignatureFormat: RawRepresentable, Hashable, Sendable {
  /// The format's name.
  public let rawValue: String

  /// The pre-authentication encoding of a DSSE envelope.
  public static let dsse = Self(unchecked: "dsse")

  private init(unchecked name: String) { rawValue = name }

  /// A format by its name; nil for one that is not verified here.
  public init?(rawValue: String) {
    guard rawValue.isExactly(Self.dsse.rawValue) else { return nil }
    self = .dsse
  }
}
