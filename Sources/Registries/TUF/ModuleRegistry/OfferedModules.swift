internal import ModuleCatalog
internal import Signet
public import SignetBase
internal import SignetSystem
internal import SignetTUF

/// A publisher's metadata with the indexes of its modules, which a push or a withdrawal changes.
struct OfferedModules {
  private let publisher: Publisher
  private let folder: RepositoryFolder
  private(set) var role: RoleTargets
  /// The indexes that were changed.
  private var indexes: [ModuleIdentifier: ModuleIndex] = [:]
  private var changed: [ModuleIdentifier] = []

  init(of publisher: Publisher, _ role: RoleTargets, in folder: RepositoryFolder) {
    self.publisher = publisher
    self.folder = folder
    self.role = role
  }

  /// The file that is the index of a module; nil if the publisher does not offer it.
  ///
  /// - Throws: what reading the metadata throws.
  mutating func indexFile(of module: ModuleIdentifier) throws(SignetError) -> TargetFile? {
    try role.target(RegistryLayout.indexPath(of: module))
  }

  /// The index of a module; one without releases if the publisher does not offer it yet.
  ///
  /// - Throws: `repo.index`; `tuf.…` if the file is missing or was changed; `file.…`.
  mutating func index(of module: ModuleIdentifier) throws(SignetError) -> ModuleIndex {
    if let known = indexes[module] { return known }
    let target = try indexFile(of: module)
    let index = try target.map { (target) throws(SignetError) in
      try ModuleIndex(json: folder.bytes(of: target, atMost: ModuleIndex.sizeLimit), of: module)
    }
    return index ?? ModuleIndex(of: module)
  }

  /// Replaces the index of a module, and adds files to the targets.
  mutating func set(_ index: ModuleIndex, adding targets: [TargetFile] = []) throws(SignetError) {
    for target in targets { try role.insert(target) }
    indexes[index.identifier] = index
    if !changed.contains(index.identifier) { changed.append(index.identifier) }
  }

  /// Writes the changed indexes, and makes them targets. They count for nothing until the metadata is published.
  ///
  /// - Throws: `repo.index`; `output.failed`; `crypto.failure`.
  mutating func store() throws(SignetError) {
    for module in changed {
      guard let bytes = try indexes[module]?.canonicalBytes() else { continue }
      let target = TargetFile(
        path: RegistryLayout.indexPath(of: module), length: bytes.count, hashes: try FileHashes(of: bytes))
      try folder.store(target, bytes)
      try role.insert(target)
    }
    changed = []
  }

  /// The modules that the publisher offers, in the order of the metadata.
  ///
  /// - Throws: `crypto.failure`; what reading the metadata throws.
  mutating func modules() throws(SignetError) -> [ModuleIdentifier] {
    var modules: [ModuleIdentifier] = []
    for target in try role.all() {
      guard let module = RegistryLayout.module(ofIndex: target.path), try publisher.mayOffer(module) else { continue }
      modules.append(module)
    }
    return modules
  }
}

extension ModuleRegistry {
  /// What is wrong with the indexes of modules: those that clients could not read, and releases whose files are not
  /// offered. One index is in memory at a time.
  ///
  /// - Throws: what ``RepositoryFolder/load()`` throws; `file.…`.
  public func indexFaults() throws(SignetError) -> [SignetError] {
    let content = try folder.load()
    guard let targets = content.targets?.role else { throw Self.noRegistry(folder.path) }
    var faults = FaultList()
    for publisher in try Self.publishers(of: targets) {
      do throws(SignetError) {
        let role = try RoleTargets(of: publisher.name, under: targets, in: content, continuing: .published)
        var offered = OfferedModules(of: publisher, role, in: folder)
        for module in try offered.modules() {
          do throws(SignetError) { try offered.check(module, &faults) } catch { faults.append(error) }
        }
      } catch  where Set.aboutTUF.contains(error.code) {
        // The check of the repository tells it.
        continue
      }
    }
    return faults.faults
  }
}

extension OfferedModules {
  fileprivate mutating func check(_ module: ModuleIdentifier, _ faults: inout FaultList) throws(SignetError) {
    let index = try index(of: module)
    for release in index.releases {
      for file in release.files {
        let stated = release.target(file)
        guard try role.target(stated.path)?.hashes.isSame(as: stated.hashes) ?? false else {
          faults.append(
            SignetError(
              .repoIndex, stated.path, "is in the index of \(module), and is not offered by the publisher",
              expected: "\(file.sha256)", hint: "push the module again"))
          continue
        }
      }
    }
    for fault in index.unreadable { faults.append(fault) }
  }
}
