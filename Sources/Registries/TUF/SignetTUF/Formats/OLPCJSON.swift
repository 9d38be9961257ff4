public import SignetBase

/// The canonical JSON of the OLPC project, over which signatures and key IDs of The Update Framework are computed
/// (specification, section 4.1).
///
/// It is compact, and names are sorted by code point. Only the quotation mark and the backslash are escaped: a line
/// feed in a PEM stays as it is, so the text need not be JSON. That is the difference to `CanonicalJSON`.
public enum OLPCJSON {
  /// Encodes a value.
  ///
  /// - Throws: `tuf.not-canonical` for a number that is not whole, and for a name that occurs twice in an object.
  public static func encode(_ value: JSONValue) throws(SignetError) -> [UInt8] {
    do throws(JSONWriter.Fault) { return try JSONWriter.canonical(.fewest, isBounded: false).write(value) } catch {
      throw error.ofMetadata
    }
  }
}

extension JSONWriter.Fault {
  /// The error for metadata that has no text.
  var ofMetadata: SignetError {
    switch self {
    case .decimal(let number):
      SignetError(
        .tufNotCanonical, "JSON", "has no canonical form", expected: "a whole number", found: number.display)
    case .outOfBounds(let number):
      SignetError(.jsonNumber, "JSON", "is out of bounds", expected: "-(2^53-1) to 2^53-1", found: "\(number)")
    case .twice(let name):
      SignetError(.tufNotCanonical, "JSON", "a name occurs twice in one object", found: name.display)
    }
  }
}
