public import ReleaseGate
internal import SignetArchive
public import SignetBase
public import SignetCrypto
internal import SignetSystem

extension JSONReport {
  /// What a written report says about the files, to check them again without keys.
  ///
  /// Nothing proves that a report is authentic. A reader must trust the place where it is kept, or verify a signature
  /// on it first.
  public struct Listing: Sendable {
    /// Whether the release was clean.
    public let isClean: Bool
    /// The time at which the release was checked.
    public let time: UnixTime
    /// Every file, sorted by the bytes of the paths. No path occurs twice, and none leads out of the release's folder.
    public let entries: [Entry]
    /// Every folder that is no artifact and belongs to none, sorted by the bytes of the paths, each once.
    public let folders: [GateReport.Folder]
    /// The twelve mode bits of each folder that was given; empty in a report that does not say them.
    public let rootModes: [UInt32]

    /// A file of a report.
    public struct Entry: Sendable {
      /// The path from the release's folder, with slashes.
      public let path: String
      /// The size in bytes; for a directory, that of all its files.
      public let size: Int
      /// The SHA-256; for a directory, that of its listing; for a link, that of its text.
      public let sha256: Digest
      /// The twelve mode bits; nil for a link and for a special file.
      public let mode: UInt32?
      /// What the file is to the system.
      public let kind: GateReport.File.Kind
    }

    /// The limits of a report: 100,000 files of 600 bytes and 20 values each, and as much again for findings.
    package static let limits = JSONLimits(size: FindingLimit.reportSize, depth: 16, values: 4_000_000)
    /// The limit of the files, and that of the folders.
    static let entryLimit = ReleaseFiles.limits.entries

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
      folders = try Self.folders(of: report.objects("folders", atMost: Self.entryLimit))
      var modes: [UInt32] = []
      if report.has("roots") {
        for var root in try report.objects("roots", atMost: Self.entryLimit) {
          modes.append(try root.mode())
          try root.finish()
        }
      }
      rootModes = modes
      try report.finish()
    }

    private static func entries(of files: [JSONObject]) throws(SignetError) -> [Entry] {
      var entries: [Entry] = []
      for var file in files {
        let path = try path(of: &file, after: entries.last?.path)
        let kinds = GateReport.File.Kind.allCases
        let kind = kinds[try file.word("type", of: kinds.map(\.rawValue))]
        switch try file.word("role", of: ["artifact", "bundle", "excluded", "link"]) {
        case 0: _ = try file.object("artifact")
        case 1: _ = try file.string("bundleOf")
        case 2: _ = try file.string("excludedBy")
        default: _ = try file.string("linkTo")
        }
        let hasMode = kind == .file || kind == .directory
        entries.append(
          Entry(
            path: path, size: try file.count("size"), sha256: try file.sha256(),
            mode: hasMode ? try file.mode() : nil, kind: kind))
        try file.finish()
      }
      return entries
    }

    private static func folders(of values: [JSONObject]) throws(SignetError) -> [GateReport.Folder] {
      var folders: [GateReport.Folder] = []
      for var folder in values {
        let path = try path(of: &folder, after: folders.last?.path)
        folders.append(GateReport.Folder(path: path, mode: try folder.mode()))
        try folder.finish()
      }
      return folders
    }

    /// Takes the field `path`: a path that comes after the one before it.
    private static func path(of object: inout JSONObject, after previous: String?) throws(SignetError) -> String {
      let path = try object.string("path")
      guard isInside(path) else {
        throw object.wrong("path", "a path that stays in the release's folder", path.display)
      }
      guard previous?.precedesInBytes(path) ?? true else {
        throw object.wrong("path", "paths in the order of their bytes, each once", path.display)
      }
      return path
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

  /// Takes the field `mode`.
  fileprivate mutating func mode() throws(SignetError) -> UInt32 {
    let text = try string("mode")
    guard let mode = FileMode.octal(text) else { throw wrong("mode", "four octal digits", text.display) }
    return mode
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
