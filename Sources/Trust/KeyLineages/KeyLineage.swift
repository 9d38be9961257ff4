public import SignetBase
public import SignetCrypto
package import SignetVerify

/// The keys of a signer, one after the other: each one has introduced the next.
///
/// Every lineage that exists is one line: its statements follow one another, and no key comes twice. It need not begin with the
/// signer's first key.
public struct KeyLineage: Hashable, Sendable {
  /// The statements, at least one.
  public let rotations: [RotationStatement]

  /// The most statements that a lineage may have.
  public static let limit = 32
  /// The maximum length of a lineage's text in bytes.
  public static let sizeLimit = 1 << 20

  /// The key with which it begins.
  public var first: PublicKey { rotations[0].from }
  /// The newest key.
  public var current: PublicKey { rotations[rotations.count - 1].to }

  /// - Throws: `lineage.order`, `lineage.cycle`, `lineage.fork`, `lineage.replay`, `lineage.too-long`; `lineage.malformed` if
  ///   there is no rotation.
  public init(_ rotations: [RotationStatement]) throws(SignetError) {
    guard let first = rotations.first else { throw RotationStatement.malformed("is missing: the lineage is empty") }
    guard rotations.count <= Self.limit else {
      throw SignetError(
        .lineageTooLong, "lineage", "has too many keys", expected: "at most \(Self.limit) statements",
        found: "\(rotations.count)", hint: "trust the publisher's present key in place of the old one")
    }
    var keys: Set<PublicKey> = [first.from]
    for (index, rotation) in rotations.enumerated() {
      if index > 0 { try Self.check(rotation, after: rotations[index - 1], among: rotations[..<index]) }
      guard keys.insert(rotation.to).inserted else {
        throw SignetError(
          .lineageCycle, "rotation \(rotation.number)", "introduces a key that the signer has had before",
          found: "\(rotation.to.id)", hint: "make a new key for each rotation: signet keygen --out PATH")
      }
    }
    self.rotations = rotations
  }

  private static func check(
    _ rotation: RotationStatement, after last: RotationStatement, among others: ArraySlice<RotationStatement>
  ) throws(SignetError) {
    guard !others.contains(rotation) else {
      throw SignetError(.lineageReplay, "rotation \(rotation.number)", "stands in the lineage twice")
    }
    if let other = others.first(where: { $0.from == rotation.from }) { throw fork(other, rotation) }
    guard rotation.from == last.to, rotation.number == last.number + 1, rotation.previous == last.digest,
      last.since <= rotation.since
    else {
      throw SignetError(
        .lineageOrder, "rotation \(rotation.number)", "does not follow the statement before it",
        expected: "a statement by \(last.to.id), from \(last.since) on, that names it", found: "\(rotation.from.id)",
        hint: "get the whole lineage from the publisher")
    }
  }

  private static func fork(_ one: RotationStatement, _ other: RotationStatement) -> SignetError {
    SignetError(
      .lineageFork, "rotation \(other.number)", "introduces another key than the one that is known",
      expected: "\(one.to.id)", found: "\(other.to.id)",
      hint: "somebody else has the publisher's key \(one.from.id): ask the publisher which key is right")
  }

  /// Reads a lineage: bundles, one in each line.
  ///
  /// - Throws: what ``RotationStatement/init(bundle:)`` and ``init(_:)`` throw.
  public init(reading text: [UInt8]) throws(SignetError) {
    guard text.count <= Self.sizeLimit else {
      throw SignetError(
        .lineageTooLong, "lineage", "is too long", expected: "at most \(Self.sizeLimit) bytes", found: "\(text.count)"
      )
    }
    let lines = text.split(separator: UInt8(ascii: "\n"))
    guard lines.count <= Self.limit else {
      throw SignetError(
        .lineageTooLong, "lineage", "has too many keys", expected: "at most \(Self.limit) statements",
        found: "\(lines.count)", hint: "trust the publisher's present key in place of the old one")
    }
    try self.init(lines.map { (line) throws(SignetError) in try RotationStatement(bundle: Array(line)) })
  }

  /// The text of the lineage: bundles, one in each line.
  public var text: [UInt8] { rotations.flatMap { $0.bundle + [UInt8(ascii: "\n")] } }

  /// The part that begins with a key; nil if the key has introduced none.
  func from(_ key: PublicKey) throws(SignetError) -> KeyLineage? {
    guard let index = rotations.firstIndex(where: { $0.from == key }) else { return nil }
    return try KeyLineage(Array(rotations[index...]))
  }

  /// What is known after another lineage of the same signer was seen. It never gets shorter.
  ///
  /// - Throws: `lineage.fork` if it leads to other keys than are known, also if it begins later; `lineage.order` if something is
  ///   missing between the two; `lineage.too-long`.
  public func extended(by other: KeyLineage) throws(SignetError) -> KeyLineage {
    for known in rotations {
      for rotation in other.rotations where rotation.from == known.from || rotation.number == known.number {
        guard rotation == known else { throw Self.fork(known, rotation) }
      }
    }
    let end = rotations[rotations.count - 1].number
    return try KeyLineage(rotations + other.rotations.filter { $0.number > end })
  }

  /// Whether a lineage of the same signer has nothing that is not known, and lacks what is.
  public func isNewer(than other: KeyLineage) -> Bool {
    rotations[rotations.count - 1].number > other.rotations[other.rotations.count - 1].number
  }
}

extension KeyLineage: SuccessionReader {
  /// - Throws: what ``init(_:)`` throws; `lineage.order` if it does not begin with the key.
  package static func read(_ proofs: [[UInt8]], from key: PublicKey) throws(SignetError) -> KeySuccession {
    let lineage = try KeyLineage(proofs.map { (proof) throws(SignetError) in try RotationStatement(bundle: proof) })
    guard lineage.first == key else {
      throw SignetError(
        .lineageOrder, "lineage", "does not begin with the entry's key", expected: "\(key.id)",
        found: "\(lineage.first.id)")
    }
    return lineage.succession
  }

  /// The keys with their times. A signature by a key that was succeeded counts until the end of the overlap.
  var succession: KeySuccession {
    var keys = [(key: first, window: TrustEntry.Window(until: rotations[0].until))]
    for (index, rotation) in rotations.enumerated() {
      let end = index + 1 < rotations.count ? rotations[index + 1].until : nil
      keys.append((rotation.to, TrustEntry.Window(from: rotation.since, until: end)))
    }
    return KeySuccession(keys, proofs: rotations.map(\.bundle))
  }
}
