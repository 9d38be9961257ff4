import SignetBase
import TestSupport
import Testing

@testable import GateTestSupport
@testable import ReleaseGate

@Suite struct BillOfMaterialsTests {
  private static let spdx2 = #"{"spdxVersion":"SPDX-2.3","SPDXID":"SPDXRef-DOCUMENT","packages":[]}"#
  private static let spdx3 = #"{"@context":"https://spdx.org/rdf/3.0.1/spdx-context.jsonld","@graph":[]}"#
  private static let cyclonedx = #"{"bomFormat":"CycloneDX","specVersion":"1.5","components":[]}"#

  private func findings(_ demand: String, _ type: String, _ predicate: String) throws -> [Found] {
    let release = try AttestedRelease()
    try release.attest(predicate, type, label: "sbom")
    return try release.findings(#"[{"type":"\#(demand)","signers":["build"]}]"#)
  }

  @Test(
    "a bill of materials in the form of its type is no finding",
    arguments: [
      ("https://spdx.dev/Document", spdx2), ("https://spdx.dev/Document/v2.3", spdx2),
      ("https://spdx.dev/Document/v2", spdx2), ("https://spdx.dev/Document/v3", spdx3),
      ("https://spdx.dev/Document", spdx3), ("https://cyclonedx.org/bom", cyclonedx),
      ("https://cyclonedx.org/bom/v1.5", cyclonedx),
    ])
  func clean(type: String, predicate: String) throws {
    #expect(try findings("sbom", type, predicate) == [])
    #expect(try findings(type, type, predicate) == [])
    #expect(try findings(type.contains("spdx") ? "spdx" : "cyclonedx", type, predicate) == [])
  }

  @Test(
    "a document in another form than its type names is a finding",
    arguments: [
      ("https://spdx.dev/Document/v2.2", spdx2, "spdxVersion", "version 2.2", "2.3"),
      ("https://spdx.dev/Document/v3.1", spdx3, "@context", "version 3.1", "3.0.1"),
      ("https://spdx.dev/Document", #"{"spdxVersion":"2.3","SPDXID":"x"}"#, "SPDXID", "SPDXRef-DOCUMENT", "x"),
      ("https://cyclonedx.org/bom/v1.4", cyclonedx, "specVersion", "version 1.4", "1.5"),
      ("https://cyclonedx.org/bom", #"{"bomFormat":"SPDX","specVersion":"1"}"#, "bomFormat", "CycloneDX", "SPDX"),
      ("https://cyclonedx.org/bom", #"{"bomFormat":"CycloneDX","specVersion":"x"}"#, "specVersion", "a version", "x"),
    ])
  func otherForm(type: String, predicate: String, field: String, expected: String, found: String) throws {
    let finding = Found(
      "has no bill of materials in the form of its type", place: "tool.sbom.sigstore.json, predicate.\(field)",
      expected: expected, found: found)
    #expect(try findings("sbom", type, predicate) == [finding])
  }

  @Test("a document without the fields of its form is a finding")
  func malformed() throws {
    let message = "has no bill of materials that can be read: a field"
    let place = "tool.sbom.sigstore.json, predicate."
    let missing = Found("\(message) is missing", place: "\(place)spdxVersion", expected: "what this type has there")
    #expect(try findings("spdx", "https://spdx.dev/Document", "{}") == [missing])
    let wrong = Found(
      "\(message) has an invalid value", place: "\(place)@context",
      expected: "a context below https://spdx.org/rdf/", found: "a list")
    let other = #"{"@context":["https://example.com/"]}"#
    #expect(try findings("spdx", "https://spdx.dev/Document/v3", other) == [wrong])
  }

  @Test("the other format is not the demanded one")
  func otherFormat() throws {
    let spdx = Found("has no bill of materials", expected: "https://spdx.dev/Document", found: "none")
    #expect(try findings("spdx", "https://cyclonedx.org/bom", Self.cyclonedx) == [spdx])
    let cyclonedx = Found("has no bill of materials", expected: "https://cyclonedx.org/bom", found: "none")
    #expect(try findings("cyclonedx", "https://cyclonedx.org/bombs", Self.cyclonedx) == [cyclonedx])
  }
}
