public import SignetBase

/// Hash bins: 2^n roles with the same keys, among which all paths are distributed by their hashes (TAP 15).
public struct SuccinctRoles: Sendable {
  /// The keys of each bin.
  public var keys: KeyThreshold
  /// The number of leading bits of a path's SHA-256 that choose the bin: 1 to 32.
  public var bitLength: Int
  /// The beginning of the names of the bins.
  public var namePrefix: String
  /// The fields that are not known.
  public var unknown: [JSONValue.Member]

  /// The numbers of bits that TAP 15 allows.
  public static let bitLengths = 1...32

  /// Creates bins.
  ///
  /// - Parameters:
  ///   - keys: the keys of all bins.
  ///   - bitLength: 1 to 32; another number becomes the nearest one of these.
  ///   - namePrefix: how the names of all bins begin.
  public init(keys: KeyThreshold, bitLength: Int, namePrefix: String) {
    self.keys = keys
    self.bitLength = min(max(bitLength, Self.bitLengths.lowerBound), Self.bitLengths.upperBound)
    self.namePrefix = namePrefix
    unknown = []
  }

  init(from object: inout JSONObject) throws(SignetError) {
    keys = try KeyThreshold(from: &object)
    bitLength = try object.positive("bit_length")
    guard Self.bitLengths.contains(bitLength) else {
      throw object.wrong("bit_length", "1 to 32", "\(bitLength)")
    }
    namePrefix = try object.string("name_prefix")
    unknown = object.rest
    try DelegatedRole.check(name(of: binCount - 1), object.path(of: "name_prefix"))
  }

  /// The bins as JSON.
  public var json: JSONValue {
    .object(
      keys.fields + [("bit_length", .integer(bitLength)), ("name_prefix", .string(namePrefix))], and: unknown)
  }

  /// The number of bins.
  public var binCount: Int { 1 << bitLength }

  /// The number of a path's bin: the leading bits of its SHA-256.
  public func bin(of path: TargetPath) -> Int {
    let head = path.digest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return head >> (32 - bitLength)
  }

  /// The name of a bin: the prefix, a hyphen and the number in hexadecimal, with zeros in front so that all names have
  /// one length.
  public func name(of bin: Int) -> String {
    let digits = String(bin, radix: 16)
    let width = String(binCount - 1, radix: 16).utf8.count
    return "\(namePrefix)-" + String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
