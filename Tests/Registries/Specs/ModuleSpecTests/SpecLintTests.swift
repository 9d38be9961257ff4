import Foundation
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ModuleSpec

@Suite struct SpecLintTests {
  @Test("PO5: a spec with one fault is found by the rule for it, and by no other", arguments: SpecCase.all)
  func fault(_ each: SpecCase) throws {
    let folder = try TemporaryFolder(inMemory: true)
    let report = try each.check(in: folder)
    #expect(report.findings.map(\.rule) == each.rules, "\(report.findings)")
    #expect(report.findings.allSatisfy { $0.field == each.field }, "\(report.findings)")
    #expect(report.isClean(allowingWarnings: false) == each.rules.isEmpty)
    for finding in report.findings {
      #expect(!finding.message.isEmpty && !finding.message.hasSuffix(".") && !finding.hint.isEmpty)
      #expect(finding.expected != nil || finding.found != nil, "\(finding)")
      let shown = [finding.message, finding.expected ?? "", finding.found ?? "", finding.hint].joined(separator: "|")
      #expect(!shown.contains("secret@") && !shown.contains(":secret") && !shown.contains("=secret"), "\(shown)")
    }
  }

  @Test("PO5: every rule has a case with its fault, and there are clean specs")
  func everyRule() {
    let found = Set(SpecCase.all.flatMap(\.rules))
    for rule in SpecRuleList.all { #expect(found.contains(rule.about.id), "add a case for \(rule.about.id)") }
    let known = Set(SpecRuleList.all.map { $0.about.id })
    #expect(found == known && known.count == SpecRuleList.all.count)
    #expect(SpecCase.all.count { $0.rules.isEmpty } >= 5)
  }

  @Test("PO5: a spec with warnings alone is clean if warnings are allowed, and one with an error never is")
  func levels() throws {
    let warnings = ["summary-length", "description"]
    for rule in SpecRuleList.all {
      let level: SpecFinding.Level = warnings.contains(rule.about.id) ? .warning : .error
      #expect(rule.about.level == level, "\(rule.about.id)")
      let each = try #require(SpecCase.all.first { $0.rules == [rule.about.id] }, "\(rule.about.id)")
      let folder = try TemporaryFolder(inMemory: true)
      let report = try each.check(in: folder)
      #expect(!report.isClean(allowingWarnings: false))
      #expect(report.isClean(allowingWarnings: true) == (level == .warning), "\(rule.about.id)")
      #expect(report.count(level) == 1 && report.findings.count == 1)
    }
  }

  @Test("PO6: the version 0.1.1 with the tag 0.1.0 is an error")
  func tag() throws {
    let each = try #require(SpecCase.all.first { $0.rules == ["tag"] })
    let folder = try TemporaryFolder(inMemory: true)
    let finding = try #require(try each.check(in: folder).findings.first)
    #expect(finding.level == .error && finding.field == "source.tag")
    #expect(finding.expected == "0.1.1" && finding.found == "0.1.0")
  }

  @Test("PO6: the digest of the commit is recorded, in full")
  func commit() throws {
    let spec = try ModuleSpec(json: SpecVectors.spec(changedBy: "{}"))
    let commit = try #require(spec.source?.commit)
    #expect(commit.utf8.count == 40 && String(decoding: spec.canonicalBytes(), as: UTF8.self).contains(commit))
    for each in SpecCase.all where each.rules == ["commit"] {
      let folder = try TemporaryFolder(inMemory: true)
      let report = try each.check(in: folder)
      #expect(report.count(.error) == 1 && report.findings.first?.field == "source.commit")
    }
  }

  @Test("a folder names the specs in it, and one without any is told")
  func folders() throws {
    let folder = try TemporaryFolder(inMemory: true)
    expectError(.specMissing) { _ = try SpecLint.specs(at: folder.path) }
    for name in [".modspec.json", "b.modspec.json", "a.modspec.json", "modspec.json", "c.modspec.json.bak"] {
      try folder.write(name, [])
    }
    #expect(
      try SpecLint.specs(at: folder.path) == [folder.file("a.modspec.json"), folder.file("b.modspec.json")])
    #expect(try SpecLint.specs(at: folder.file("c.modspec.json.bak")) == [folder.file("c.modspec.json.bak")])
    expectError(.fileMissing) { _ = try SpecLint.specs(at: folder.file("none")) }
  }

  @Test("what is no spec, or cannot be read, is no clean one")
  func unreadable() throws {
    let folder = try TemporaryFolder(inMemory: true)
    expectError(.specMalformed) { _ = try SpecLint.check(try folder.write("a.modspec.json", Array("{".utf8))) }
    let long = [UInt8](repeating: 0x20, count: ModuleSpec.sizeLimit + 1)
    expectError(.specMalformed) { _ = try SpecLint.check(try folder.write("b.modspec.json", long)) }
    expectError(.fileMissing) { _ = try SpecLint.check(folder.file("c.modspec.json")) }
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("d.modspec.json"), withDestinationPath: "/etc/passwd")
    expectError(.fileMissing) { _ = try SpecLint.check(folder.file("d.modspec.json")) }
  }

  @Test("links are no files of a module, and hidden folders are not looked into")
  func links() throws {
    let folder = try TemporaryFolder(inMemory: true)
    let each = try #require(SpecCase.all.first { $0.rules.isEmpty })
    let path = try each.write(into: folder)
    try FileManager.default.removeItem(atPath: folder.file("Classes/Old.c"))
    try FileManager.default.createSymbolicLink(atPath: folder.file("Classes/Old.c"), withDestinationPath: "Player.c")
    #expect(try SpecLint.check(path).findings.map(\.found) == ["Classes/Old.c"])
    // More than a folder may have, where nothing looks.
    try FileManager.default.removeItem(atPath: folder.file("Classes/Old.c"))
    try folder.write("Classes/Old.c", [])
    let deep = (0..<40).map { "d\($0)" }.joined(separator: "/")
    try SpecVectors.write(".build/\(deep)/x", [], into: folder)
    #expect(try SpecLint.check(path).findings.isEmpty)
    try SpecVectors.write("\(deep)/x", [], into: folder)
    expectError(.pathBounds) { _ = try SpecLint.check(path) }
  }

  @Test("docs/spec.md has each rule as the program knows it")
  func table() throws {
    let text = try Repository.text("docs/spec.md")
    let head = "| rule | demands | level |\n|---|---|---|\n"
    let start = try #require(text.range(of: head)).upperBound
    let rows = text[start...].split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
    let expected = SpecRuleList.all.map { rule in
      "| `\(rule.about.id)` | \(rule.about.title) | \(rule.about.level.rawValue) |"
    }
    #expect(rows.map(String.init) == expected)
  }
}
