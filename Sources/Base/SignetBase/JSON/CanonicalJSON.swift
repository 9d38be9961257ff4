/// The one canonical text of a JSON value.
///
/// It is compact, with names sorted by their UTF-8 bytes. Only characters that must be escaped are escaped, and all
/// numbers are whole. For values with ASCII names it is also the form of RFC 8785.
public enum CanonicalJSON {
  /// Writes a value as its canonical text.
  ///
  /// - Throws: `json.number` for a number that is not whole or is out of bounds; `json.duplicate-name`.
  public static func write(_ value: JSONValue) throws(SignetError) -> [UInt8] {
    do throws(JSONWriter.Fault) { return try JSONWriter.canonical().write(value) } catch {
      throw Self.error(error)
    }
  }

  /// Writes a value for people who look at it or change it: one member a line, names in their order.
  ///
  /// - Parameter spaces: how many spaces each level is indented by.
  /// - Throws: `json.number` for a number that is not whole or is out of bounds.
  package static func writeIndented(_ value: JSONValue, by spaces: Int) throws(SignetError) -> [UInt8] {
    do throws(JSONWriter.Fault) { return try JSONWriter.indented(by: spaces).write(value) } catch {
      throw Self.error(error)
    }
  }

  private static func error(_ fault: JSONWriter.Fault) -> SignetError {
    switch fault {
    case .decimal(let number):
      SignetError(.jsonNumber, "JSON", "has no canonical form", expected: "a whole number", found: number)
    case .outOfBounds(let number):
      SignetError(.jsonNumber, "JSON", "is out of bounds", expected: "-(2^53-1) to 2^53-1", found: "\(number)")
    case .twice(let name):
      SignetError(.jsonDuplicateName, "JSON", "a name occurs twice in one object", found: name)
    }
  }

  /// Reads a text and checks that it is canonical.
  ///
  /// - Throws: what ``JSONReader/read(_:limits:)`` throws, and `json.not-canonical`.
  public static func read(_ bytes: [UInt8], limits: JSONLimits) throws(SignetError) -> JSONValue {
    let value = try JSONReader.read(bytes, limits: limits)
    try check(value, is: bytes)
    return value
  }

  /// Checks that the text from which a value was read is its canonical text.
  ///
  /// - Throws: `json.not-canonical`, whose object is the line and column; `json.number`.
  package static func check(_ value: JSONValue, is bytes: [UInt8]) throws(SignetError) {
    let canonical = try write(value)
    guard canonical != bytes else { return }
    let offset = zip(canonical, bytes).enumerated().first { $1.0 != $1.1 }?.offset
    throw SignetError(
      .jsonNotCanonical, JSONReader.place(offset ?? min(canonical.count, bytes.count), in: bytes),
      "is not canonical JSON", expected: "compact JSON with sorted names")
  }
}
