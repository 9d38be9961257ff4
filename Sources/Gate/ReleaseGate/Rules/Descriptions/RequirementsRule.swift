internal import Signet
package import SignetBase

/// What modules require of each other can be met within the release.
package struct RequirementsRule: ReleaseRule {
  package static let about = RuleDescription(
    "requirements", "The modules of the release meet each other's requirements",
    help: """
      A host loads a module after the modules that it requires, and only in the versions that it names. If the \
      release holds a required module in another version, or if modules require each other in a circle, users who \
      install all of it cannot load it. Correct `requires` in module.json, or publish the versions that belong \
      together.
      """,
    options: [("complete", "true to demand that the release holds every required module; usually false")],
    .error)

  private let isComplete: Bool

  package init(_ options: inout RuleOptions) throws(SignetError) {
    isComplete = try options.flag("complete", usually: false)
  }

  package func check(_ release: ExaminedRelease, _ findings: inout RuleFindings) {
    let modules = release.modules
    for each in modules.all {
      if let host = each.description.requirements.host {
        checkRange(host, "requires.host", of: each, &findings)
      }
      for required in each.description.requirements.modules {
        guard checkRange(required.versions, "requires.modules", of: each, &findings) else { continue }
        check(required, of: each, modules[required.identifier], &findings)
      }
    }
    for circle in RequirementCircles(modules).all {
      guard let first = circle.first, let release = modules[first].first else { continue }
      findings.note(
        "requires itself through other modules", about: release.artifact.path, entry: ModuleDescription.path,
        place: "requires.modules", expected: "requirements without a circle", found: Self.words(circle),
        hint: "remove the requirement from one of these modules")
    }
  }

  /// Notes a range that no version is in.
  ///
  /// - Returns: whether the range is sound.
  @discardableResult
  private func checkRange(
    _ range: VersionRange, _ field: String, of release: ModuleReleases.Release, _ findings: inout RuleFindings
  ) -> Bool {
    guard range.isEmpty else { return true }
    findings.note(
      "requires versions that cannot exist", about: release.artifact.path, entry: ModuleDescription.path,
      place: field, expected: "a lower bound below the upper one", found: "\(range)", hint: "correct the range")
    return false
  }

  private func check(
    _ required: ModuleRequirement, of release: ModuleReleases.Release, _ held: [ModuleReleases.Release],
    _ findings: inout RuleFindings
  ) {
    guard !held.isEmpty else {
      guard isComplete else { return }
      return findings.note(
        "requires a module that the release does not hold", about: release.artifact.path,
        entry: ModuleDescription.path, place: "requires.modules",
        expected: "\(required.identifier) \(required.versions)", found: "none", hint: "add the module to the release")
    }
    guard !held.contains(where: { required.versions.contains($0.description.version) }) else { return }
    findings.note(
      "requires other versions of a module than the release holds", about: release.artifact.path,
      entry: ModuleDescription.path, place: "requires.modules",
      expected: "\(required.identifier) \(required.versions)",
      found: held.prefix(Self.shown).map { "\($0.description.version)" }.joined(separator: ", "),
      hint: "publish versions that belong together, or correct the range")
  }

  /// The maximum number of modules or versions in a finding.
  private static let shown = 10

  private static func words(_ circle: [ModuleIdentifier]) -> String {
    let names = (circle + circle.prefix(1)).map { "\($0)" }
    let first = names.prefix(shown).joined(separator: " requires ")
    guard names.count > shown else { return first }
    return "\(first) requires \(names.count - shown) more, up to \(names[0])"
  }
}
