package import SignetBase

/// A text with signatures below it, in the form of C2SP's signed-note.
package struct SignedNote: Sendable {
  /// The text, with its last line end: what is signed.
  package let text: [UInt8]
  /// The signatures, in the order of their lines.
  package let signatures: [Signature]

  /// A line with a signature.
  package struct Signature: Sendable {
    /// The name of the key.
    package let name: String
    /// The number of the key: the first four bytes of what its kind computes.
    package let keyID: [UInt8]
    /// The bytes behind the number.
    package let bytes: [UInt8]
  }

  /// The maximum length of a note in bytes, and of signatures.
  package static let sizeLimit = 64 << 10
  private static let signatureLimit = 100
  private static let dash = Array("\u{2014} ".utf8)

  /// Reads a note.
  ///
  /// - Throws: `log.note`.
  package init(_ note: [UInt8]) throws(SignetError) {
    guard note.count <= Self.sizeLimit else { throw Self.malformed("is too long") }
    guard UTF8Check.firstFault(in: note) == nil,
      !note.contains(where: { $0 < 0x20 && $0 != UInt8(ascii: "\n") || $0 == 0x7f })
    else { throw Self.malformed("has characters that a note has not") }
    let lineEnd = UInt8(ascii: "\n")
    guard note.last == lineEnd,
      let end = note.indices.dropLast().last(where: { note[$0] == lineEnd && note[$0 + 1] == lineEnd })
    else { throw Self.malformed("has no empty line before its signatures") }
    text = Array(note[...end])
    var signatures: [Signature] = []
    for line in note[(end + 2)...].split(separator: lineEnd, omittingEmptySubsequences: false).dropLast() {
      guard signatures.count < Self.signatureLimit, let signature = Self.signature(line) else {
        throw Self.malformed("has a line below its text that is no signature")
      }
      signatures.append(signature)
    }
    guard !signatures.isEmpty else { throw Self.malformed("has no signature") }
    self.signatures = signatures
  }

  private static func signature(_ line: ArraySlice<UInt8>) -> Signature? {
    guard line.starts(with: dash) else { return nil }
    let parts = line.dropFirst(dash.count).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(UInt8(ascii: "+")),
      let bytes = try? Base64.decode(String(decoding: parts[1], as: UTF8.self)), bytes.count > 4
    else { return nil }
    return Signature(
      name: String(decoding: parts[0], as: UTF8.self), keyID: Array(bytes[..<4]), bytes: Array(bytes[4...]))
  }

  static func malformed(_ what: String) -> SignetError {
    SignetError(.logNote, "note", what, expected: "a text, an empty line, and lines with signatures")
  }
}
