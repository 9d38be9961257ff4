internal import SignetBase
internal import SignetCMS
internal import SignetCrypto
internal import SignetSystem

/// The digests of files by other functions than SHA-2, whose programs, such as `b2sum`, do not say in a list which function it
/// is.
struct OtherChecksums {
  private let files: ReleaseFiles
  /// What was computed, by the path and the number of bytes.
  private var known: [Key: Set<[UInt8]>] = [:]
  /// The beginnings of the digests that can have any length, by the path.
  private var endless: [[UInt8]: [[UInt8]]] = [:]

  /// A path, by its bytes.
  private struct Key: Hashable {
    let path: [UInt8]
    let byteCount: Int
  }

  /// The longest digest that is compared, in bytes. Programs have 16 to 131 by their own examples.
  static let byteLimit = 512
  /// The digests of functions that are computed for one length, in bytes. There are few, and so each file is read a few times
  /// at most, whatever a list has.
  private static let byteCounts = [20, 24, 28, 32, 40, 48, 56, 64]
  private static let readSize = 1 << 20
  /// What a message calls the functions.
  static let names = "SHA-3, SHA-512/256, BLAKE2, BLAKE3, SHAKE or SM3"

  init(_ files: ReleaseFiles) { self.files = files }

  /// Whether a digest is one of a file by any function that is known.
  ///
  /// - Throws: `file.…`, `crypto.failure`.
  mutating func has(_ digest: [UInt8], of file: ReleaseFile) throws(SignetError) -> Bool {
    guard (1...Self.byteLimit).contains(digest.count) else { return false }
    let path = Array(file.path.utf8)
    if try endless(of: file, path).contains(where: { $0.starts(with: digest) }) { return true }
    guard Self.byteCounts.contains(digest.count) else { return false }
    let key = Key(path: path, byteCount: digest.count)
    if let digests = known[key] { return digests.contains(digest) }
    var second = BLAKE2b(size: digest.count)
    let more = try OtherDigest.functions(of: digest.count)
    try read(file) { (bytes) throws(SignetError) in
      second.update(bytes)
      for function in more { try function.update(bytes) }
    }
    var digests: Set<[UInt8]> = [second.finish()]
    for function in more { digests.insert(try function.finish()) }
    known[key] = digests
    return digests.contains(digest)
  }

  private mutating func endless(of file: ReleaseFile, _ path: [UInt8]) throws(SignetError) -> [[UInt8]] {
    if let digests = endless[path] { return digests }
    var third = BLAKE3()
    let more = try OtherDigest.endless(upTo: Self.byteLimit)
    try read(file) { (bytes) throws(SignetError) in
      third.update(bytes)
      for function in more { try function.update(bytes) }
    }
    var digests = [third.finish(size: Self.byteLimit)]
    for function in more { digests.append(try function.finish()) }
    endless[path] = digests
    return digests
  }

  private func read(
    _ file: ReleaseFile, _ take: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    let open = try files.open(file)
    for start in stride(from: 0, to: open.size, by: Self.readSize) {
      try take(open.bytes(in: start..<min(start + Self.readSize, open.size)))
    }
  }
}
