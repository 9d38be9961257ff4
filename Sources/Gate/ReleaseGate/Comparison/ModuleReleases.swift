internal import Signet
internal import SignetBase

/// The releases of modules that verified artifacts hold.
struct ModuleReleases {
  /// A release of a module, and the artifact that holds it.
  struct Release {
    let artifact: ExaminedArtifact
    let predicate: ModulePredicate

    var description: ModuleDescription { predicate.module }
  }

  /// Every release, in the order of the artifacts.
  let all: [Release]
  private let places: [ModuleIdentifier: [Int]]

  init(_ artifacts: [ExaminedArtifact]) {
    all = artifacts.compactMap { artifact in artifact.module.map { Release(artifact: artifact, predicate: $0) } }
    var places: [ModuleIdentifier: [Int]] = [:]
    for (index, release) in all.enumerated() { places[release.description.identifier, default: []].append(index) }
    self.places = places
  }

  /// The releases of one module, in the order of the artifacts.
  subscript(identifier: ModuleIdentifier) -> [Release] { (places[identifier] ?? []).map { all[$0] } }

  /// The identifiers of all modules, sorted by their bytes.
  var identifiers: [ModuleIdentifier] { places.keys.sorted { "\($0)".precedesInBytes("\($1)") } }
}
