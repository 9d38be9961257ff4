internal import SignetBase
internal import SignetCrypto
package import SignetVerify

/// What a statement of OpenSSF Model Signing says is in a model (version 1.0, section 5.2).
package struct ModelManifest {
  /// The files by the bytes of their paths.
  let files: [[UInt8]: File]
  /// The paths that are not looked at, with everything below them.
  private let ignored: Set<[UInt8]>
  /// Whether links count as the files that they lead to.
  let followsLinks: Bool
  /// The size of all parts of a file but the last one; nil if files are hashed whole.
  let shardSize: Int?

  /// A file's digest, or those of its parts in order.
  struct File {
    fileprivate(set) var digests: [Digest]
    /// The size, where the parts say it.
    fileprivate(set) var size: Int?
  }

  /// The type of such statements.
  package static let type = PredicateType("https://model_signing/signature/v1.0")
  /// What is never looked at in the model's own folder (section 6.2).
  private static let neverSigned = [".git", ".gitignore", ".gitattributes", ".github"].map { Array($0.utf8) }
  /// More files and paths are refused.
  private static let limit = 100_000

  /// - Throws: `model.malformed`, `model.unsupported`.
  init(_ statement: Statement) throws(SignetError) {
    do throws(SignetError) {
      try self.init(
        predicate: JSONObject(statement.foreignPredicate ?? .object(), "predicate", unknownField: .modelMalformed))
    } catch  where Set.aboutJSON.contains(error.code) {
      throw SignetError(.modelMalformed, error.object, error.message, expected: error.expected, found: error.found)
    }
  }

  private init(predicate: JSONObject) throws(SignetError) {
    var predicate = predicate
    var serialization = try predicate.object("serialization")
    let method = try serialization.string("method")
    guard method.isExactly("files") || method.isExactly("shards") else {
      throw Self.unsupported(serialization.path(of: "method"), "files or shards", method)
    }
    let hash = try serialization.string("hash_type")
    guard hash.isExactly("sha256") else {
      throw Self.unsupported(serialization.path(of: "hash_type"), "sha256", hash)
    }
    followsLinks = try serialization.optionalBool("allow_symlinks") ?? false
    var shardSize: Int?
    if method.isExactly("shards") {
      let value = try serialization.required("shard_size")
      guard let size = Self.wholeNumber(value), size > 0 else {
        throw serialization.wrong("shard_size", "a whole number of 1 or more", value.kind)
      }
      shardSize = size
    }
    self.shardSize = shardSize
    ignored = Set(
      Self.neverSigned + (try serialization.strings("ignore_paths", atMost: Self.limit)).map { Array($0.utf8) })
    var files: [[UInt8]: File] = [:]
    for var resource in try predicate.objects("resources", atMost: Self.limit) {
      let algorithm = try resource.string("algorithm")
      // The reference implementation says the size of parts here, too.
      guard algorithm.isExactly(hash) || shardSize.map({ algorithm.isExactly("\(hash)-sharded-\($0)") }) ?? false
      else {
        throw Self.unsupported(resource.path(of: "algorithm"), hash, algorithm)
      }
      let text = try resource.string("digest")
      guard let digest = Digest(.sha256, hex: text) else {
        throw resource.wrong("digest", "64 digits of lower-case hexadecimal", text)
      }
      let name = try resource.string("name")
      let isNew =
        if let shardSize { Self.add(digest, named: name, shardSize, to: &files) } else {
          Self.isPath(name) && files.updateValue(File(digests: [digest]), forKey: Array(name.utf8)) == nil
        }
      guard isNew else {
        throw resource.wrong(
          "name",
          shardSize == nil ? "each path below the model once" : "PATH:START:END, the parts of a file in order",
          name)
      }
    }
    guard !files.isEmpty else {
      throw SignetError(.modelMalformed, predicate.path(of: "resources"), "has no file", expected: "1 file or more")
    }
    self.files = files
  }

  /// A whole number. The reference implementation writes it with a fraction, such as 1000000000.0.
  private static func wholeNumber(_ value: JSONValue) -> Int? {
    switch value.content {
    case .integer(let number): Int(number)
    case .decimal(let text) where text.hasSuffix(".0"): Int(text.dropLast(2))
    default: nil
    }
  }

  /// Adds the digest of a part (section 6.3.2).
  ///
  /// - Returns: whether it is the next part of its file.
  private static func add(
    _ digest: Digest, named name: String, _ shardSize: Int, to files: inout [[UInt8]: File]
  ) -> Bool {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 3, let start = Int(parts[parts.count - 2]), let end = Int(parts[parts.count - 1]) else {
      return false
    }
    let path = parts.dropLast(2).joined(separator: ":")
    let key = Array(path.utf8)
    var file = files[key] ?? File(digests: [], size: 0)
    // All parts before are whole, and none is behind the last one.
    guard isPath(path), start == file.size, start.isMultiple(of: shardSize), end > start, end - start <= shardSize
    else { return false }
    file.digests.append(digest)
    file.size = end
    files[key] = file
    return true
  }

  /// Whether a text is a path below the model, in its one form (section 6.1.2). The reference implementation calls the file of
  /// a model that is one file `.`.
  private static func isPath(_ text: String) -> Bool {
    text == "."
      || text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0)
      }
  }

  /// The path that is not looked at, and that a path is or is below; nil for a path that is looked at.
  func leavesOut(_ path: [UInt8]) -> [UInt8]? {
    let ends = path.indices.filter { path[$0] == UInt8(ascii: "/") } + [path.endIndex]
    return ends.lazy.map { Array(path[..<$0]) }.first(where: ignored.contains)
  }

  private static func unsupported(_ place: String, _ expected: String, _ found: String) -> SignetError {
    SignetError(
      .modelUnsupported, place, "is not read", expected: expected, found: found,
      hint: "verify the model with the program that signed it")
  }
}
