import Foundation
import Signet
import SignetBase
import SignetSystem
import TestSupport
import Testing

@testable import ReleaseGate

/// Every case of `Tests/Vectors/releases`: one release, one fault, and the rule that finds it. A new case needs no
/// code.
@Suite struct ReleaseVectorTests {
  static func vectors() throws -> [Vector] { try Vector.all(in: "releases") }

  @Test("the release has the findings that it names, and no others", arguments: try vectors())
  func vector(_ vector: Vector) throws {
    let place = try TemporaryFolder(inMemory: true)
    let release = try VectorRelease(vector, in: place)
    let expected = try #require(vector.expected.first)
    let findings = vector.text("findings")?.split(separator: "\n").map(String.init) ?? []
    let report: GateReport
    do {
      report = try release.check()
    } catch let error as SignetError {
      #expect(error.code.rawValue == expected, "\(error)")
      return
    }
    #expect(report.findings.map(release.line) == findings)
    #expect(Set(report.findings.map(\.rule)) == (expected == "clean" ? [] : [expected]))
    #expect(report.isClean == !findings.contains { $0.contains(" | error | ") })
    for finding in report.findings {
      #expect(!finding.message.isEmpty && !finding.message.hasSuffix("."))
      #expect(finding.expected != nil || finding.found != nil, "\(finding)")
      #expect(finding.hint != nil, "\(finding)")
      for around in ["--force", "exclude", "leave it out of the policy", "add its signer", "allow it", "to off"] {
        #expect(!(finding.hint ?? "").contains(around), "\(finding)")
      }
    }
  }

  @Test("every rule has a case with a fault, and what keeps the gate from looking has one, too")
  func rules() throws {
    let found = Set(try Self.vectors().compactMap(\.expected.first))
    for rule in RuleList.all { #expect(found.contains(rule.about.id), "add a case for \(rule.about.id)") }
    // These are about what a folder and a policy cannot show: a report, a place, a name of a report, a summary. What is
    // crowded does not keep the gate from looking at the rest.
    let others: Set<SignetError.Code> = [
      .gateReportMalformed, .gateReportName, .gateReportSize, .gatePolicyPlace, .gateSameFolder, .gateChanged,
      .gateRefused, .gateSummary, .gateCrowded, .gateWorkspace,
    ]
    let text = try Repository.text("Sources/Gate/ReleaseGate/ErrorCodes.swift")
    let codes = text.matches(of: /Self\("(gate\.[a-z-]+)", \.\w+\)/).map { SignetError.Code(String($0.output.1)) }
    #expect(codes.count > others.count && others.isSubset(of: codes))
    for code in codes { #expect(found.contains(code.rawValue) != others.contains(code), "add a case for \(code)") }
    #expect(try Self.vectors().count { $0.expected == ["clean"] } > 30)
  }
}

/// The folders of a case, and the gate that checks them.
private struct VectorRelease {
  private let vector: Vector
  private let place: TemporaryFolder

  /// Makes the folders.
  init(_ vector: Vector, in place: TemporaryFolder) throws {
    self.vector = vector
    self.place = place
    for (path, bytes) in vector.inputs where path.contains("/") {
      try makeFolder((path as NSString).deletingLastPathComponent)
      try place.write(path, bytes)
    }
    for line in vector.text("tree")?.split(separator: "\n") ?? [] {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      try #require(words.count == 3, "\(line)")
      if words[0] == "l" {
        try FileManager.default.createSymbolicLink(
          atPath: place.file(words[1]), withDestinationPath: words[2])
        continue
      }
      if words[0] == "d" { try makeFolder(words[2]) }
      if words[0] == "p" { #expect(mkfifo(place.file(words[2]), 0o600) == 0) }
      #expect(chmod(place.file(words[2]), try #require(mode_t(words[1], radix: 8))) == 0)
    }
  }

  /// Makes a folder and those above it, with the same modes whatever the umask is.
  private func makeFolder(_ path: String) throws {
    var names = ""
    for name in path.split(separator: "/") {
      names += "/\(name)"
      guard !FileManager.default.fileExists(atPath: place.path + names) else { continue }
      try FileManager.default.createDirectory(atPath: place.path + names, withIntermediateDirectories: false)
      #expect(chmod(place.path + names, 0o755) == 0)
    }
  }

  private func folder(_ name: String) -> String? {
    FileManager.default.fileExists(atPath: place.file(name)) ? place.file(name) : nil
  }

  /// Checks the release as the case says.
  func check() throws -> GateReport {
    let time = try #require(UnixTime(vector.text("time") ?? "2026-11-21T00:00:00Z"))
    var options = Gate.Options()
    options.baseline = folder("baseline")
    options.rebuild = folder("rebuild")
    let gate = Gate(
      policy: try ReleasePolicy(json: vector.bytes("policy.json"), allowsTestKeys: true),
      called: GateReport.Policy(name: "policy.json", sha256: nil), clock: .fixed(time), version: "1.0.0",
      options: options)
    return try gate.check(["release", "other"].compactMap(folder))
  }

  /// A finding as the case has it: below the folder of the release, or below that of the case.
  func line(_ finding: GateReport.Finding) -> String {
    [finding.rule, "\(finding.level)", finding.path, finding.entry, finding.place, finding.code, finding.found]
      .map { $0?.replacingOccurrences(of: place.file("release/"), with: "") ?? "-" }.joined(separator: " | ")
      .replacingOccurrences(of: place.path + "/", with: "")
  }
}
