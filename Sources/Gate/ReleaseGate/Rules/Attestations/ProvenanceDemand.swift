internal import Signet
internal import SignetBase

/// How artifacts must have been built, by SLSA provenance v1 (slsa.dev/spec/v1.1/provenance).
///
/// The builder and the signer belong together: the builder is trusted for what it says of source and parameters.
struct ProvenanceDemand: DemandedContent {
  static let type = ProvenancePredicate.type

  private let builder: String?
  private let buildType: String?
  private let source: SourceDemand?
  private let parameters: ParametersDemand?

  var noun: String { "provenance" }
  var types: String { Self.type.uri }
  var label: String { ProvenancePredicate.label }

  /// Takes the fields of a demand.
  ///
  /// - Throws: `json.…`.
  init(_ object: inout JSONObject) throws(SignetError) {
    builder = try object.optionalString("builder")
    buildType = try object.optionalString("buildType")
    source = try SourceDemand(&object)
    parameters = try object.optionalObject("parameters").map { ParametersDemand($0.value) }
    if let builder, !Self.isBuilder(builder) {
      throw object.wrong("builder", "a URI, or one that ends in * after an @", builder)
    }
  }

  func accepts(_ type: PredicateType) -> Bool { type == Self.type }

  func objections(
    to predicate: JSONObject, of type: PredicateType, about artifact: ExaminedArtifact
  ) throws(SignetError) -> [AttestationObjection] {
    var predicate = predicate
    var definition = try predicate.object("buildDefinition")
    var details = try predicate.object("runDetails")
    var builder = try details.object("builder")
    let id = try builder.string("id")
    let buildType = try definition.string("buildType")
    let parameters = try definition.object("externalParameters")
    let dependencies = try BuildDependency.all(in: &definition)
    var objections: [AttestationObjection] = []
    if let demanded = self.builder, !Self.matches(id, demanded) {
      objections.append(
        AttestationObjection(
          "was built by another builder", place: builder.path(of: "id"), expected: demanded, found: id,
          hint: "release what the demanded builder has built"))
    }
    if let demanded = self.buildType, !buildType.isExactly(demanded) {
      objections.append(
        AttestationObjection(
          "was built by another type of build", place: definition.path(of: "buildType"), expected: demanded,
          found: buildType, hint: "release what a build of the demanded type has built"))
    }
    if let source { objections += source.objections(to: parameters, dependencies) }
    if let demanded = self.parameters { objections += demanded.objections(to: parameters) }
    return objections
  }

  private static let star = UInt8(ascii: "*")

  /// A builder's version is behind an `@`. A star anywhere else would also stand for other builders.
  private static func isBuilder(_ text: String) -> Bool {
    guard let place = text.utf8.firstIndex(of: star) else { return !text.isEmpty }
    return text.utf8.index(after: place) == text.utf8.endIndex && text.utf8.contains(UInt8(ascii: "@"))
  }

  private static func matches(_ id: String, _ demanded: String) -> Bool {
    guard demanded.utf8.last == star else { return id.isExactly(demanded) }
    let beginning = demanded.utf8.dropLast()
    return id.utf8.count > beginning.count && id.utf8.starts(with: beginning)
  }
}
