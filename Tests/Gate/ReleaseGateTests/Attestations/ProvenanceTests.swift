import Signet
import SignetBase
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct ProvenanceTests {
  private static let commit = String(repeating: "a", count: 40)
  private static let otherCommit = String(repeating: "b", count: 40)
  private static let builder = "https://github.com/o/r/.github/workflows/release.yml@refs/tags/v1"

  /// A finding about a field of the attestation.
  private func finding(
    _ message: String, in field: String, expected: String? = nil, found: String? = nil
  ) -> Found {
    Found(message, place: "tool.provenance.sigstore.json, predicate.\(field)", expected: expected, found: found)
  }

  @Test("provenance that says what the policy demands is no finding")
  func clean() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance())
    let found = try release.findings(
      """
      [{"type":"provenance","signers":["build"],
        "builder":"https://github.com/o/r/.github/workflows/release.yml@refs/tags/*",
        "buildType":"https://actions.github.io/buildtypes/workflow/v1","source":"https://github.com/o/r",
        "commit":"\(Self.commit)","parameters":{"workflow":{"path":".github/workflows/release.yml"}}},
       {"type":"https://slsa.dev/provenance/v1","signers":["release","build"],"artifacts":["to*"],
        "builder":"\(Self.builder)","source":"git+https://github.com/o/r"}]
      """)
    #expect(found == [])
  }

  /// A demand that the provenance does not meet, and the finding.
  struct Difference: Sendable, CustomTestStringConvertible {
    let demand: String
    let message: String
    let field: String
    let expected: String
    let found: String

    var testDescription: String { demand }
  }

  private static let differences = [
    Difference(
      demand: #""builder":"https://example.com/b""#, message: "was built by another builder",
      field: "runDetails.builder.id", expected: "https://example.com/b", found: builder),
    Difference(
      demand: #""builder":"https://github.com/o/r/.github/workflows/release.yml@refs/heads/*""#,
      message: "was built by another builder", field: "runDetails.builder.id",
      expected: "https://github.com/o/r/.github/workflows/release.yml@refs/heads/*", found: builder),
    Difference(
      demand: #""buildType":"https://example.com/t""#, message: "was built by another type of build",
      field: "buildDefinition.buildType", expected: "https://example.com/t",
      found: "https://actions.github.io/buildtypes/workflow/v1"),
    Difference(
      demand: #""source":"https://github.com/o/x""#, message: "was built from another source",
      field: "buildDefinition.externalParameters.workflow.repository", expected: "https://github.com/o/x",
      found: "https://github.com/o/r"),
    Difference(
      demand: #""source":"https://github.com/o/r","commit":"\#(otherCommit)""#,
      message: "was built from another commit", field: "buildDefinition.resolvedDependencies[0]",
      expected: otherCommit, found: commit),
    Difference(
      demand: #""parameters":{"workflow":{"ref":"refs/heads/main"}}"#, message: "was built with other parameters",
      field: "buildDefinition.externalParameters.workflow.ref", expected: "refs/heads/main", found: "refs/tags/v1"),
    Difference(
      demand: #""parameters":{"inputs":{"debug":false}}"#, message: "was built with other parameters",
      field: "buildDefinition.externalParameters.inputs", expected: "an object", found: "none"),
  ]

  @Test("each difference from the policy is a finding", arguments: differences)
  func difference(_ difference: Difference) throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance())
    let found = try release.findings(#"[{"type":"provenance","signers":["build"],\#(difference.demand)}]"#)
    let expected = finding(
      difference.message, in: difference.field, expected: difference.expected, found: difference.found)
    #expect(found == [expected])
  }

  @Test("every difference is told")
  func allDifferences() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance())
    let found = try release.findings(
      """
      [{"type":"provenance","signers":["build"],"builder":"https://example.com/b",
        "source":"https://github.com/o/x","parameters":{"workflow":{"ref":"x","path":"y"}}}]
      """)
    #expect(found.count == 4)
  }

  @Test("a dependency on the demanded repository is not its source")
  func dependency() throws {
    let release = try AttestedRelease()
    let text = AttestedRelease.provenance(repository: "https://github.com/fork/r")
      .replacing("pkg:deb/debian/gcc@12", with: "git+https://github.com/o/r@refs/tags/v1")
    try release.attest(text)
    let found = try release.findings(
      #"[{"type":"provenance","signers":["build"],"source":"https://github.com/o/r"}]"#)
    let expected = finding(
      "was built from another source", in: "buildDefinition.externalParameters.workflow.repository",
      expected: "https://github.com/o/r", found: "https://github.com/fork/r")
    #expect(found == [expected])
  }

  @Test("without a known parameter, the only repository is the source")
  func onlyRepository() throws {
    let release = try AttestedRelease()
    func text(_ dependencies: String) -> String {
      """
      {"buildDefinition":{"buildType":"https://example.com/t","externalParameters":{"inputs":{}},\
      "resolvedDependencies":\(dependencies)},"runDetails":{"builder":{"id":"https://example.com/b"}}}
      """
    }
    let one = #"{"uri":"git+https://github.com/o/r@refs/heads/main","digest":{"sha1":"\#(Self.commit)"}}"#
    let demand =
      #"[{"type":"provenance","signers":["build"],"source":"https://github.com/o/r","commit":"\#(Self.commit)"}]"#
    try release.attest(text("[\(one)]"))
    #expect(try release.findings(demand) == [])
    for (dependencies, count) in [("null", 0), ("[]", 0), ("[\(one),\(one)]", 2)] {
      try release.attest(text(dependencies))
      let expected = finding(
        "has no provenance that names its source in a known place", in: "buildDefinition.externalParameters",
        expected: "https://github.com/o/r", found: "\(count) repositories among the dependencies")
      #expect(try release.findings(demand) == [expected])
    }
    try release.attest(text(#"[{"uri":"git+https://github.com/o/r"}]"#))
    let expected = finding(
      "has no provenance with the commit of its source", in: "buildDefinition.resolvedDependencies",
      expected: Self.commit)
    #expect(try release.findings(demand) == [expected])
  }

  @Test("a predicate without the fields of its type is a finding")
  func malformed() throws {
    let release = try AttestedRelease()
    func expect(
      _ predicate: String, _ field: String, _ message: String, _ expected: String? = nil, _ found: String? = nil
    ) throws {
      try release.attest(predicate)
      let finding = finding(
        "has no provenance that can be read: a field \(message)", in: field,
        expected: expected ?? "what this type has there", found: found)
      #expect(try release.findings(#"[{"type":"provenance","signers":["build"]}]"#) == [finding])
    }
    try expect("{}", "buildDefinition", "is missing")
    try expect(#"{"buildDefinition":[]}"#, "buildDefinition", "has the wrong type", "an object", "a list")
    let builder = #""runDetails":{"builder":{"id":"x"}}"#
    try expect(#"{"buildDefinition":{},"runDetails":{"builder":{}}}"#, "runDetails.builder.id", "is missing")
    try expect(#"{"buildDefinition":{},\#(builder)}"#, "buildDefinition.buildType", "is missing")
    try expect(
      #"{"buildDefinition":{"buildType":7},\#(builder)}"#, "buildDefinition.buildType", "has an invalid value",
      "a text", "a whole number")
    try expect(
      #"{"buildDefinition":{"buildType":"t","externalParameters":{},"resolvedDependencies":{}},\#(builder)}"#,
      "buildDefinition.resolvedDependencies", "has an invalid value", "a list", "an object")
    try expect(
      #"{"buildDefinition":{"buildType":"t","externalParameters":{},"resolvedDependencies":[7]},\#(builder)}"#,
      "buildDefinition.resolvedDependencies[0]", "has the wrong type", "an object", "a whole number")
  }

  @Test("a text of the statement cannot fill a report, or be more than a text")
  func hostile() throws {
    let release = try AttestedRelease()
    let long = String(repeating: "x", count: 100_000)
    try release.attest(AttestedRelease.provenance(builder: #"\n::error::\u202e\u0000"# + long))
    let found = try release.findings(
      #"[{"type":"provenance","signers":["build"],"builder":"https://example.com/b"}]"#)
    let shown = #"\u{a}::error::\u{202e}\u{0}"# + String(repeating: "x", count: 388) + "…"
    let expected = finding(
      "was built by another builder", in: "runDetails.builder.id", expected: "https://example.com/b", found: shown)
    #expect(found == [expected])
  }

  @Test("a star stands for a version of the builder, and not for none")
  func builders() throws {
    let release = try AttestedRelease()
    try release.attest(AttestedRelease.provenance(builder: "https://example.com/b@"))
    let found = try release.findings(
      #"[{"type":"provenance","signers":["build"],"builder":"https://example.com/b@*"}]"#)
    let expected = finding(
      "was built by another builder", in: "runDetails.builder.id", expected: "https://example.com/b@*",
      found: "https://example.com/b@")
    #expect(found == [expected])
  }

  @Test(
    "a repository is its URL, whatever the revision",
    arguments: [
      ("https://host/o/r", "https://host/o/r"), ("git+https://host/o/r", "https://host/o/r"),
      ("git+https://host/o/r@refs/heads/main", "https://host/o/r"), ("git+https://host/o/r#a@b", "https://host/o/r"),
      ("git+ssh://git@host/o/r@v1", "ssh://git@host/o/r"), ("git+git@host:o/r", "git@host:o/r"),
      ("https://host/o/r@v1", "https://host/o/r@v1"), ("git+", ""), ("", ""), ("git+@", "@"),
    ])
  func repositories(uri: String, expected: String) {
    #expect(ProvenancePredicate.repository(uri) == Array(expected.utf8))
  }
}
