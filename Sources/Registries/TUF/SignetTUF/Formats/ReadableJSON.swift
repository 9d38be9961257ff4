public import SignetBase

/// JSON for files that people look at: one member a line, indented by one space for each level, names in their order.
///
/// Signatures do not depend on it, because they are made over ``OLPCJSON``.
public enum ReadableJSON {
  /// Writes a value, with a line feed at the end.
  ///
  /// - Throws: `tuf.not-canonical` for a number that is not whole; `json.number` for one that is out of bounds.
  public static func write(_ value: JSONValue) throws(SignetError) -> [UInt8] {
    do throws(JSONWriter.Fault) { return try JSONWriter.indented(by: 1).write(value) } catch {
      throw error.ofMetadata
    }
  }
}
