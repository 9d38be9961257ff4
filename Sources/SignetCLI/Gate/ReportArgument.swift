internal import ArgumentParser
internal import ReleaseGate
internal import SignetBase
internal import SignetSystem

/// A report that is asked for: `sarif=gate.sarif`, or `github=-` for standard output.
struct ReportArgument: ExpressibleByArgument {
  let format: any ReportFormat
  let path: String

  init?(argument: String) {
    let bytes = argument.utf8
    guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")),
      let format = ReportFormats.named(String(decoding: bytes[..<equals], as: UTF8.self))
    else { return nil }
    self.format = format
    path = String(decoding: bytes[bytes.index(after: equals)...], as: UTF8.self)
    guard !path.isEmpty else { return nil }
  }

  /// Whether the report goes to standard output.
  var isStandardOutput: Bool { path.isExactly("-") }

  /// The names of all formats, for help.
  static let formats = ReportFormats.all.map { $0.name }.joined(separator: ", ")
}

/// The reports of one run, which are written after the check.
struct ReportFiles {
  let reports: [ReportArgument]
  /// The inputs, which no report replaces.
  let inputs: [FileStatus.Identity]
  /// The texts for standard output.
  private var printed: [[UInt8]] = []

  init(reports: [ReportArgument], inputs: [FileStatus.Identity]) {
    self.reports = reports
    self.inputs = inputs
  }

  /// Checks that every report can be put into its place, before long work is done.
  ///
  /// A report below the folders would be a file of the release that nobody has checked.
  ///
  /// - Throws: `output.is-input`, `output.failed`.
  func check(outside folders: [String]) throws(SignetError) {
    for report in reports where !report.isStandardOutput {
      try OutputFile.check(report.path, .replace(unless: inputs))
      for folder in FileStatus.identities(of: folders) { try OutputFile.check(report.path, outside: folder) }
    }
  }

  /// Writes the reports that go to files, and keeps those for standard output.
  ///
  /// - Throws: `output.…`, `gate.report-name`, `json.number`.
  mutating func writeFiles(_ report: GateReport) throws(SignetError) {
    // All texts are made before any is written: one that cannot be made leaves nothing behind.
    var texts: [(report: ReportArgument, text: [UInt8])] = []
    for each in reports { texts.append((each, try each.format.text(of: report))) }
    for (each, text) in texts where !each.isStandardOutput {
      try Interruption.held { () throws(SignetError) in
        try OutputFile.write(text, to: each.path, .replace(unless: inputs))
      }
    }
    printed = texts.filter(\.report.isStandardOutput).map(\.text)
  }

  /// Writes the reports for standard output.
  ///
  /// - Throws: `output.failed`.
  func print() throws(SignetError) {
    for text in printed { try Console.output(String(decoding: text, as: UTF8.self)) }
  }
}
