internal import Signet
internal import SignetBase

/// Each new release of a module has a higher sequence than the last one.
package struct SequenceRule: ReleaseRule {
  package static let about = RuleDescription(
    "sequence", "A changed module has a higher sequence than in the last release",
    help: """
      The sequence alone orders the releases of a module. Hosts refuse a lower one, and with the same one they \
      cannot tell which release is newer. Raise `sequence` in module.json for every release, then pack and sign it \
      again. An archive with the same bytes as in the last release may keep its sequence, if the newest one is there, too.
      """,
    .error)

  package init(_ options: inout RuleOptions) {}

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    release.forEachSuccessor { new, old in
      let highest = old.map(\.description.sequence).max() ?? 0
      let sequence = new.description.sequence
      // An older archive may stay, beside the newest one. Alone, it would be a step back.
      let newest = release.modules[new.description.identifier].map(\.description.sequence).max() ?? sequence
      let isKnown = old.contains { new.artifact.hasSameBytes(as: $0.artifact) }
      guard !isKnown || newest < highest else { return }
      guard sequence <= highest else { return }
      findings.note(
        sequence == highest
          ? "has the sequence of the last release, with other bytes" : "has a lower sequence than the last release",
        about: new.artifact.path, entry: ModuleDescription.path, place: "sequence",
        expected: "\(highest + 1) or more", found: "\(sequence)",
        hint: "raise `sequence` in \(ModuleDescription.path), then pack and sign the module again")
    }
  }
}
