internal import ArgumentParser
internal import GateReports
internal import ReleaseGate
internal import SignetBase
internal import SignetCLI
internal import SignetFiles
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
  var isStandardOutput: Bool { path.isExactly("-") || path.isExactly("/dev/stdout") }

  /// What a shell offers: a file follows each.
  static let completion = CompletionKind.list(ReportFormats.all.map { $0.name + "=" })

  /// The names of all formats, for help.
  static let formats = ReportFormats.all.map { $0.name }.joined(separator: ", ")
}

/// The reports of one run, which are written after the check.
struct ReportFiles {
  let reports: [ReportArgument]
  /// The inputs, which no report replaces.
  let inputs: [FileStatus.Identity]

  /// Checks that every report can be put into its place, before long work is done.
  ///
  /// A report below the folders would be a file of the release that nobody has checked.
  ///
  /// - Throws: `output.exists` if two reports have one place, `output.is-input`, `output.failed`.
  func check(outside folders: [String]) throws(SignetError) {
    let files = reports.filter { !$0.isStandardOutput }.map(\.path)
    for (index, path) in files.enumerated() {
      guard !files[..<index].contains(where: { OutputFile.isSame($0, path) }) else {
        throw SignetError(
          .outputExists, path, "is the place of two reports", expected: "a file for each report",
          hint: "give each report a name of its own")
      }
      try OutputFile.check(path, .replace(unless: inputs))
      for folder in FileStatus.identities(of: folders) { try OutputFile.check(path, outside: folder) }
    }
  }

  /// The texts of all reports. A text that cannot be made leaves nothing behind.
  ///
  /// - Throws: `gate.report-name`, `json.number`.
  func texts(of report: GateReport) throws(SignetError) -> Texts {
    var texts = Texts(files: [], standardOutput: [])
    for each in reports {
      let text = try each.format.text(of: report)
      if each.isStandardOutput { texts.standardOutput += text } else { texts.files.append((each.path, text)) }
    }
    return texts
  }

  /// Writes the reports that go to files, each whole or not at all.
  ///
  /// No report gets its name before all of them are written.
  ///
  /// - Throws: `output.…`.
  func write(_ texts: Texts) throws(SignetError) {
    try Interruption.held { () throws(SignetError) in
      var drafts: [OutputDraft] = []
      for file in texts.files {
        let draft = try OutputDraft(to: file.path, .replace(unless: inputs))
        try draft.write(file.text)
        drafts.append(draft)
      }
      for draft in drafts { try draft.publish() }
    }
  }

  /// The texts of all reports.
  struct Texts {
    var files: [(path: String, text: [UInt8])]
    var standardOutput: [UInt8]
  }
}
