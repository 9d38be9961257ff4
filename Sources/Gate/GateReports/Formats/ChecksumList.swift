public import ReleaseGate
public import SignetBase
internal import SignetCrypto

/// The SHA-256 of every file, as `sha256sum -c` of GNU coreutils 9 reads it in the release's folder.
///
/// Directories that are signed as a whole, and links, are left out: `sha256sum` reads the bytes of files alone.
public struct ChecksumList: ReportFormat {
  /// `sha256sums`.
  public static let name = "sha256sums"

  /// Creates the format.
  public init() {}

  /// Writes a report.
  ///
  /// - Throws: `gate.report-name` for an empty name or one with a NUL, which no file has.
  public func text(of report: GateReport) throws(SignetError) -> [UInt8] {
    var text: [UInt8] = []
    for file in report.files where file.kind == .file {
      guard !file.path.isEmpty, !file.path.utf8.contains(0) else {
        throw SignetError(
          .gateReportName, file.path.display, "cannot be written as a line of sha256sum", expected: "a file's name")
      }
      text += Self.line(file)
    }
    // A report of no files ends in a newline, too; sha256sum ignores an empty line.
    return text.isEmpty ? [UInt8(ascii: "\n")] : text
  }

  private static func line(_ file: GateReport.File) -> [UInt8] {
    // The name - would be the standard input.
    let path = file.path.isExactly("-") ? "./-" : file.path
    var name: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): name += #"\\"#.utf8
      case UInt8(ascii: "\n"): name += #"\n"#.utf8
      case UInt8(ascii: "\r"): name += #"\r"#.utf8
      default: name.append(byte)
      }
    }
    // A backslash at the beginning of the line says that the name has escapes.
    let mark = name.count == path.utf8.count ? "" : #"\"#
    return Array("\(mark)\(file.sha256.hex)  ".utf8) + name + [UInt8(ascii: "\n")]
  }
}
