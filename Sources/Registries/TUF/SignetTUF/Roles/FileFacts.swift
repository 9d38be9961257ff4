public import SignetBase
public import SignetCrypto

/// What a timestamp or snapshot says of another file of metadata: an entry of METAFILES (specification, section 4.4).
public struct FileFacts: Sendable {
  /// The version of the metadata, 1 or more.
  public var version: Int
  /// The length in bytes, if it is stated.
  public var length: Int?
  /// The hashes, if they are stated.
  public var hashes: FileHashes?
  /// The fields that are not known.
  public var unknown: [JSONValue.Member]

  /// Creates the facts of a file.
  public init(version: Int, length: Int? = nil, hashes: FileHashes? = nil, unknown: [JSONValue.Member] = []) {
    self.version = version
    self.length = length
    self.hashes = hashes
    self.unknown = unknown
  }

  /// The facts of the bytes of a file, with its length and SHA-256.
  ///
  /// - Throws: `crypto.failure`.
  public init(version: Int, of bytes: [UInt8]) throws(SignetError) {
    self.init(version: version, length: bytes.count, hashes: try FileHashes(of: bytes))
  }

  init(_ value: JSONValue, of file: String) throws(SignetError) {
    do throws(SignetError) {
      var object = try JSONObject(value, "meta", unknownField: .tufMalformed)
      version = try object.positive("version")
      length = object.has("length") ? try object.count("length") : nil
      hashes = object.has("hashes") ? try FileHashes(from: &object) : nil
      unknown = object.rest
    } catch {
      throw error.about("\(error.object) of \(file.display)")
    }
  }

  /// The facts as JSON.
  public var json: JSONValue {
    .object(
      [("version", .integer(version)), ("length", length.map(JSONValue.integer)), ("hashes", hashes?.json)],
      and: unknown)
  }

  /// Checks the length and hashes, as far as they are stated.
  ///
  /// - Throws: `tuf.too-short`, `tuf.too-long`, `tuf.hash-mismatch`, `tuf.unknown-hash`; `crypto.failure`.
  func check(_ bytes: [UInt8], _ object: String) throws(SignetError) {
    if let length { try FileHashes.check(length: bytes.count, is: length, object) }
    try hashes?.check(bytes, object)
  }
}

/// The hashes of a file, by the name of the algorithm (specification, section 4.4, HASHES).
public struct FileHashes: Sendable {
  /// The algorithms and the values in hexadecimal, in the order of the file; never empty.
  public let entries: [(algorithm: String, hex: String)]

  /// Creates hashes from digests of one file.
  public init(_ digests: [Digest]) { entries = digests.map { ($0.algorithm.rawValue, $0.hex) } }

  /// SHA-256 of the bytes of a file.
  ///
  /// - Throws: `crypto.failure`.
  public init(of bytes: [UInt8]) throws(SignetError) { self.init([try Digest.of(bytes, .sha256)]) }

  init(from object: inout JSONObject) throws(SignetError) {
    var entries: [(algorithm: String, hex: String)] = []
    for member in try object.members("hashes") {
      guard case .string(let hex) = member.value.content else {
        throw object.wrong("hashes", "a text for each algorithm", member.value.kind)
      }
      entries.append((member.name, hex))
    }
    guard !entries.isEmpty else { throw object.wrong("hashes", "one hash or more", "none") }
    self.entries = entries
  }

  /// The hashes as JSON.
  public var json: JSONValue { JSONValue(.object(entries.map { JSONValue.Member($0.algorithm, .string($0.hex)) })) }

  /// The entries whose algorithm can be computed here: SHA-256, SHA-384 and SHA-512.
  var known: [(algorithm: DigestAlgorithm, hex: String)] {
    entries.compactMap { entry in
      DigestAlgorithm.allCases.first { $0.rawValue.isExactly(entry.algorithm) }.map { ($0, entry.hex) }
    }
  }

  /// Checks that all known hashes are those of a file, and that there is one.
  ///
  /// - Throws: `tuf.hash-mismatch`, `tuf.unknown-hash`; `crypto.failure`.
  func check(_ bytes: [UInt8], _ object: String) throws(SignetError) {
    var sums = try FileSums(self, object)
    try sums.add(bytes)
    try sums.finish()
  }

  static func check(length: Int, is stated: Int, _ object: String) throws(SignetError) {
    guard length >= stated else {
      throw SignetError(
        .tufTooShort, object, "is shorter than stated", expected: "\(stated) bytes", found: "\(length) bytes",
        hint: "use another mirror")
    }
    guard length <= stated else {
      throw SignetError(
        .tufTooLong, object, "is longer than stated", expected: "\(stated) bytes", found: "\(length) bytes",
        hint: "use another mirror")
    }
  }
}

/// The hashes of a file that arrives in pieces, compared with those that are stated.
struct FileSums: ~Copyable {
  private var sums: [Sum]
  private let object: String

  /// One running digest. A class, because digests cannot be copied and lists hold only what can.
  private final class Sum {
    private var digest: IncrementalDigest?
    let stated: String

    init(_ algorithm: DigestAlgorithm, _ stated: String) throws(SignetError) {
      digest = try IncrementalDigest(algorithm)
      self.stated = stated
    }

    func add(_ bytes: [UInt8]) throws(SignetError) { try digest?.update(bytes) }

    func finish() throws(SignetError) -> String? {
      guard let ended = digest.take() else { return nil }
      return try ended.finish().hex
    }
  }

  /// - Throws: `tuf.unknown-hash`; `crypto.failure`.
  init(_ hashes: FileHashes, _ object: String) throws(SignetError) {
    sums = []
    self.object = object
    for entry in hashes.known { sums.append(try Sum(entry.algorithm, entry.hex)) }
    guard !sums.isEmpty else {
      throw SignetError(
        .tufUnknownHash, object, "has only hashes of unknown algorithms", expected: "sha256, sha384 or sha512",
        found: hashes.entries.map(\.algorithm.display).joined(separator: ", "))
    }
  }

  mutating func add(_ bytes: [UInt8]) throws(SignetError) {
    for sum in sums { try sum.add(bytes) }
  }

  /// - Throws: `tuf.hash-mismatch`; `crypto.failure`.
  consuming func finish() throws(SignetError) {
    for sum in sums {
      let found = try sum.finish() ?? ""
      guard found.isExactly(sum.stated) else {
        throw SignetError(
          .tufHashMismatch, object, "does not have the stated hash", expected: sum.stated.display, found: found,
          hint: "use another mirror")
      }
    }
  }
}
