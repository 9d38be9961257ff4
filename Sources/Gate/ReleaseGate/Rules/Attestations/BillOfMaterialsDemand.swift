internal import Signet
internal import SignetBase

/// A list of what an artifact contains, in the form that its type names. What it lists is not compared.
struct BillOfMaterialsDemand: DemandedContent {
  private let formats: [Format]

  /// The formats of in-toto's predicates `spdx.md` and `cyclonedx.md`.
  private enum Format: CaseIterable {
    case spdx
    case cyclonedx

    var word: String { self == .spdx ? "spdx" : "cyclonedx" }
    var uri: String { self == .spdx ? "https://spdx.dev/Document" : "https://cyclonedx.org/bom" }

    /// The version that a type of this format names, such as `2.3`; empty if it names none, nil for another format.
    func version(of type: PredicateType) -> String? {
      if type.uri.isExactly(uri) { return "" }
      let start = Array("\(uri)/v".utf8)
      guard type.uri.utf8.count > start.count, type.uri.utf8.starts(with: start) else { return nil }
      return String(decoding: type.uri.utf8.dropFirst(start.count), as: UTF8.self)
    }
  }

  /// The demand with this type: `sbom`, `spdx`, `cyclonedx`, or a format's URI; nil for any other.
  init?(_ type: String) {
    formats = Format.allCases.filter { format in
      type.isExactly("sbom") || type.isExactly(format.word) || format.version(of: PredicateType(type)) != nil
    }
    if formats.isEmpty { return nil }
  }

  var noun: String { "bill of materials" }
  var types: String { formats.map(\.uri).joined(separator: " or ") }
  var label: String { formats.count == 1 ? formats[0].word : "sbom" }

  func accepts(_ type: PredicateType) -> Bool { formats.contains { $0.version(of: type) != nil } }

  func objections(
    to predicate: JSONObject, of type: PredicateType, about artifact: ExaminedArtifact
  ) throws(SignetError) -> [AttestationObjection] {
    var predicate = predicate
    if let version = Format.cyclonedx.version(of: type) {
      let form = try predicate.string("bomFormat")
      guard form.isExactly("CycloneDX") else {
        return [objection(to: predicate, field: "bomFormat", expected: "CycloneDX", found: form)]
      }
      return compare(try predicate.string("specVersion"), with: version, of: predicate, field: "specVersion")
    }
    let version = Format.spdx.version(of: type) ?? ""
    // Version 3 is JSON-LD, in which the context names the version.
    let isLinked = version.isEmpty ? predicate.has("@context") : version.utf8.first == UInt8(ascii: "3")
    guard !isLinked else { return compare(try context(&predicate), with: version, of: predicate, field: "@context") }
    let stated = try predicate.string("spdxVersion")
    let id = try predicate.string("SPDXID")
    guard id.isExactly("SPDXRef-DOCUMENT") else {
      return [objection(to: predicate, field: "SPDXID", expected: "SPDXRef-DOCUMENT", found: id)]
    }
    let start = Array("SPDX-".utf8)
    guard stated.utf8.starts(with: start) else {
      return [objection(to: predicate, field: "spdxVersion", expected: "SPDX-2.3", found: stated)]
    }
    return compare(
      String(decoding: stated.utf8.dropFirst(start.count), as: UTF8.self), with: version, of: predicate,
      field: "spdxVersion")
  }

  /// The version in the context of SPDX 3: `3.0.1` of `https://spdx.org/rdf/3.0.1/spdx-context.jsonld`.
  private func context(_ predicate: inout JSONObject) throws(SignetError) -> String {
    let value = try predicate.required("@context")
    var contexts = [value]
    if case .array(let elements) = value.content { contexts = elements }
    let start = Array("https://spdx.org/rdf/".utf8)
    for case let text? in contexts.map(\.text) where text.utf8.starts(with: start) {
      let version = text.utf8.dropFirst(start.count).prefix { $0 != UInt8(ascii: "/") }
      return String(decoding: version, as: UTF8.self)
    }
    throw predicate.wrong("@context", "a context below https://spdx.org/rdf/", value.text ?? value.kind)
  }

  /// Compares a document's version with the one in its type, of which it may be a minor version.
  private func compare(
    _ stated: String, with version: String, of predicate: JSONObject, field: String
  ) -> [AttestationObjection] {
    let isVersion =
      stated.utf8.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    let isSame = version.isEmpty || stated.isExactly(version) || stated.utf8.starts(with: Array("\(version).".utf8))
    if isVersion, isSame { return [] }
    return [
      objection(
        to: predicate, field: field, expected: version.isEmpty ? "a version" : "version \(version)", found: stated)
    ]
  }

  private func objection(
    to predicate: JSONObject, field: String, expected: String, found: String
  ) -> AttestationObjection {
    AttestationObjection(
      "has no bill of materials in the form of its type", place: predicate.path(of: field), expected: expected,
      found: found, hint: "have it attested by a program that writes the form that it names")
  }
}
