internal import Signet
package import SignetBase
internal import SignetCrypto
internal import SignetSystem

/// The verdicts about several files as a table: a mark, the file, then who signed it and when, or why it is refused.
package struct VerdictList {
  private let table: FileTable

  package init(_ files: [String]) {
    table = FileTable(
      files.map(\.display), FileTable.Widths(name: 40, middle: 26), width: StandardStream.output.columns)
  }

  /// Prints a file that is verified, or done.
  package func verified(_ file: String, what: String, more: String, _ console: Console) throws(SignetError) {
    try console.result(table.lines(Console.good(), file.display, what, more: more))
  }

  /// Prints a refused file among the others, so that the list is complete and in order; to standard error if quiet.
  package func refused(_ file: String, _ reasons: [SignetError], _ console: Console) throws(SignetError) {
    guard !console.isJSON, let reason = reasons.first else { return }
    let more = reasons.count > 1 ? " and \(reasons.count - 1) more" : ""
    let (what, code) = (Self.phrase(reason.code.rawValue, reason.message) + more, reason.code.rawValue)
    if console.isQuiet {
      Console.message(table.lines(Console.bad(), file.display, what, more: code).joined(separator: "\n"))
    } else {
      try console.result(table.lines(Console.bad(.output), file.display, what, more: code))
    }
  }

  /// A reason in a few words.
  ///
  /// - Parameter code: its code, as a report has it.
  package static func phrase(_ code: String, _ message: String) -> String {
    if let phrase = phrases[code] { return phrase }
    let area = String(code.prefix { $0 != "." })
    return areas[area] ?? message.display
  }

  private static let phrases = Dictionary(uniqueKeysWithValues: phrasesByCode.map { ($0.rawValue, $1) })
  private static let phrasesByCode: [SignetError.Code: String] = [
    .signatureMissing: "not signed", .signatureInvalid: "invalid signature",
    .digestMismatch: "bytes were changed",
    .subjectName: "signed as another name", .signerUntrusted: "no trusted signature",
    .statementExpired: "signature expired",
    .signerCertificate: "has a certificate", .signerIdentity: "another identity",
    .signerOutOfScope: "signer out of scope", .signerOutsideWindow: "signer out of its window",
    .signerRevoked: "signer is revoked", .statementPredicateType: "signed as another kind",
    .policyRevoked: "is revoked", .policyThreshold: "too few signatures", .policyRollback: "too old",
    .fileMissing: "is missing", .directoryMissingEntry: "entries are missing",
    .directoryExtraEntry: "entries were added",
  ]

  private static let areas = [
    "signature": "signature is damaged", "bundle": "signature is damaged", "envelope": "signature is damaged",
    "statement": "signature is damaged", "directory": "entries were changed", "chain": "certificate refused",
    "crl": "certificate refused", "ocsp": "certificate refused",
    "lineage": "key not introduced", "continuity": "less than before", "archive": "archive is not strict",
    "path": "a path is not allowed",
  ]
}
