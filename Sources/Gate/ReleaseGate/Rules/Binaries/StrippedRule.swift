internal import SignetBase
internal import SignetELF

/// Demands that symbols are where the policy wants them.
struct StrippedRule: FileRule {
  static let about = RuleDescription(
    "stripped", "Symbols are stripped, separate or kept, as the policy says",
    help: """
      Symbols and debug information make binaries large, and tell more of the source than a release may want to. \
      Debuggers and crash reports need them, from the binary or from a separate file. The option `symbols` lists \
      what the release allows. For separate symbols, use objcopy --only-keep-debug, strip and objcopy \
      --add-gnu-debuglink.
      """,
    options: [
      (
        "symbols",
        "a list of the allowed states: `stripped` (no symbols), `separate` (no symbols, but a debug link or a build "
          + "ID by which a separate file is found) and `kept` (symbols); usually `stripped` alone"
      ), AllowedPlaces.binaries,
    ], nil)

  /// Where a binary's symbols can be.
  private enum State: String, CaseIterable {
    case stripped
    case separate
    case kept
  }

  private let states: [State]
  private let allowed: AllowedPlaces

  init(_ options: inout RuleOptions) throws(SignetError) {
    let states = try options.values("symbols", "stripped, separate or kept") { word in
      State.allCases.first { $0.rawValue.isExactly(word) }
    }
    self.states = states.isEmpty ? [.stripped] : states
    allowed = try AllowedPlaces(binaries: &options)
  }

  func check(
    _ file: ContentFile, in artifact: ExaminedArtifact, _ findings: inout RuleFindings
  ) throws(SignetError) {
    guard let profile = try file.judgedBinary(unless: allowed, in: artifact) else { return }
    guard profile.sections.state != .unreadable else {
      findings.note(
        "has section headers that cannot be read, so that its symbols are unknown", entry: file.entry,
        place: "section headers", expected: expected, found: "unreadable section headers",
        hint: "copy it whole, or build it again")
      return
    }
    guard !states.contains(where: { Self.holds($0, of: profile) }) else { return }
    if Self.holds(.kept, of: profile) {
      findings.note(
        "has its symbols", entry: file.entry, place: "sections", expected: expected, found: Self.symbols(profile),
        hint: "strip it; keep its symbols with objcopy --only-keep-debug before")
    } else if states.contains(.separate) {
      findings.note(
        "has no symbols, and names no file with them", entry: file.entry, place: "sections", expected: expected,
        found: "no debug link or build ID",
        hint: "link it with -Wl,--build-id, or add a link with objcopy --add-gnu-debuglink")
    } else {
      findings.note(
        "has no symbols", entry: file.entry, place: "sections", expected: expected, found: "no symbols",
        hint: "do not strip it")
    }
  }

  private static func holds(_ state: State, of profile: ELFProfile) -> Bool {
    let sections = profile.sections
    let hasSymbols = sections.hasSymbols || sections.hasDebugInformation
    switch state {
    case .stripped: return !hasSymbols
    case .separate: return !hasSymbols && (sections.hasDebugLink || profile.buildID != nil)
    case .kept: return hasSymbols
    }
  }

  private static func symbols(_ profile: ELFProfile) -> String {
    guard profile.sections.hasDebugInformation else { return "symbols" }
    return profile.sections.hasSymbols ? "symbols and debug information" : "debug information"
  }

  private var expected: String { states.map(\.rawValue).joined(separator: " or ") }
}
