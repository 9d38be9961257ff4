import SignetBase
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct GateExclusionTests {
  @Test("the bundle of a file that is left out could hold anything, so it is found")
  func bundleOfExcluded() throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    try release.write("NOTES.md", "notes")
    try release.write("NOTES.md.sigstore.json", "anything")
    #expect(
      try release.check(exclude: ["*.md"]).lines == [
        """
        orphan-bundle | NOTES.md.sigstore.json | is a bundle of no artifact of the release | NOTES.md | a file that the \
        pattern *.md leaves out
        """
      ])
    #expect(try release.check(exclude: ["*.md", "*.md.sigstore.json"]).lines == [])
  }

  @Test("a bundle that is left out counts as missing")
  func excludedBundle() throws {
    let release = try ReleaseFolder()
    try release.add("tool")
    try release.add("docs/a")
    let findings = try release.check(exclude: ["*.sigstore.json"]).findings
    #expect(
      findings.map { "\($0.rule) \($0.path ?? "") \($0.code ?? "")" } == [
        "signature docs/a signature.missing", "signature tool signature.missing",
      ])
  }
}
