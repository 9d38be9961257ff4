public import SignetBase
public import SignetCrypto

extension JSONReport {
  /// What a written report says about the files, to check them again without keys.
  ///
  /// Nothing proves that a report is authentic. Whoever reads one must trust the place where it is kept, or verify a
  /// signature on it first.
  public struct Listing: Sendable {
    /// Whether the release was clean.
    public let isClean: Bool
    /// The time at which the release was checked.
    public let time: UnixTime
    /// Every file, sorted by the bytes of the paths. No path occurs twice, and none leads out of the release's folder.
    public let entries: [Entry]

    /// A file of a report.
    public struct Entry: Sendable {
      /// The path from the release's folder, with slashes.
      public let path: String
      /// The size in bytes; for a directory, that of all its files.
      public let size: Int
      /// The SHA-256; for a directory, that of its listing; for a link, that of its text.
      public let sha256: Digest
      /// What the file is to the system.
      public let kind: GateReport.File.Kind
    }

    /// The limits of a report: 100,000 files of 600 bytes and 10 values each, and as much again for findings.
    static let limits = JSONLimits(size: 128 << 20, depth: 16, values: 2_000_000)
    static let entryLimit = 100_000

    /// Reads a report that ``JSONReport`` has written.
    ///
    /// The text need not be canonical. The files and the fields beside them are read strictly; rules, findings and the
    /// comparison are not looked into.
    ///
    /// - Throws: `gate.report-malformed`; the error's object gives line and column, or the field.
    public init(reading text: [UInt8]) throws(SignetError) {
      do throws(SignetError) {
        let value = try JSONReader.read(text, limits: Self.limits)
        var report = try JSONObject(value, "report", unknownField: .gateReportMalformed, in: text)
        try self.init(&report)
      } catch  where Set.aboutJSON.contains(error.code) {
        throw SignetError(
          .gateReportMalformed, error.object, error.message, expected: error.expected, found: error.found,
          cause: error.cause, hint: error.hint)
      }
    }

    private init(_ report: inout JSONObject) throws(SignetError) {
      let version = try report.count("signetGateReport")
      guard version == JSONReport.version else {
        throw report.wrong("signetGateReport", "\(JSONReport.version)", "\(version)")
      }
      isClean = try report.word("verdict", of: ["clean", "refused"]) == 0
      _ = try report.word("failingLevel", of: ["warning", "error"])
      time = try report.time("time")
      var tool = try report.object("tool")
      _ = (try tool.string("name"), try tool.string("version"))
      try tool.finish()
      var policy = try report.object("policy")
      _ = (try policy.string("name"), try policy.has("sha256") ? policy.sha256() : nil)
      try policy.finish()
      _ = (try report.array("rules"), try report.array("findings"), try report.optionalObject("comparison"))
      guard report.has("files") else { throw SignetError(.jsonMissingField, report.path(of: "files"), "is missing") }
      entries = try Self.entries(of: report.objects("files", atMost: Self.entryLimit))
      try report.finish()
    }

    private static func entries(of files: [JSONObject]) throws(SignetError) -> [Entry] {
      var entries: [Entry] = []
      for var file in files {
        let path = try file.string("path")
        guard isInside(path) else {
          throw file.wrong("path", "a path that stays in the release's folder", path.display)
        }
        guard entries.last.map({ $0.path.precedesInBytes(path) }) ?? true else {
          throw file.wrong("path", "paths in the order of their bytes, each once", path.display)
        }
        let kinds = GateReport.File.Kind.allCases
        let kind = kinds[try file.word("type", of: kinds.map(\.rawValue))]
        switch try file.word("role", of: ["artifact", "bundle", "excluded", "link"]) {
        case 0: _ = try file.object("artifact")
        case 1: _ = try file.string("bundleOf")
        case 2: _ = try file.string("excludedBy")
        default: _ = try file.string("linkTo")
        }
        entries.append(
          Entry(path: path, size: try file.count("size"), sha256: try file.sha256(), kind: kind))
        try file.finish()
      }
      return entries
    }

    /// Whether a path names something below the folder: a checker opens what the report names.
    private static func isInside(_ path: String) -> Bool {
      !path.utf8.contains(0)
        && path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { segment in
          !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
        }
    }
  }
}

extension JSONObject {
  /// Takes a field that has one of a few words, and returns the index of the word.
  fileprivate mutating func word(_ name: String, of words: [String]) throws(SignetError) -> Int {
    let text = try string(name)
    guard let index = words.firstIndex(where: { $0.isExactly(text) }) else {
      throw wrong(name, words.joined(separator: " or "), text.display)
    }
    return index
  }

  /// Takes the field `sha256`.
  fileprivate mutating func sha256() throws(SignetError) -> Digest {
    let text = try string("sha256")
    guard let digest = Digest(.sha256, hex: text) else {
      throw wrong("sha256", "64 lower-case hexadecimal digits", text.display)
    }
    return digest
  }
}
