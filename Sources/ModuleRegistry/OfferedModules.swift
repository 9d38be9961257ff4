public import ModuleCatalog
internal import Signet
public import SignetBase
internal import SignetSystem
internal import SignetTUF

/// A publisher's metadata with the indexes of its modules, which a push or a withdrawal changes.
struct OfferedModules {
  private let publisher: Publisher
  private let folder: RepositoryFolder
  private(set) var role: RoleTargets
  /// The indexes that were read or changed.
  private var indexes: [ModuleIdentifier: ModuleIndex] = [:]
  private var changed: [ModuleIdentifier] = []

  init(of publisher: Publisher, _ role: RoleTargets, in folder: RepositoryFolder) {
    self.publisher = publisher
    self.folder = folder
    self.role = role
  }

  /// The index of a module; one without releases if the publisher does not offer it yet.
  ///
  /// - Throws: `repo.index`; `tuf.…` if the file is missing or was changed; `file.…`.
  mutating func index(of module: ModuleIdentifier) throws(SignetError) -> ModuleIndex {
    if let known = indexes[module] { return known }
    let target = try role.target(RegistryLayout.indexPath(of: module))
    let index = try target.map { (target) throws(SignetError) in
      try ModuleIndex(json: folder.bytes(of: target, atMost: ModuleIndex.sizeLimit), of: module)
    }
    indexes[module] = index
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
  /// All releases with the publishers that offer them, drafts included.
  ///
  /// - Parameter complain: is told of publishers whose drafts cannot be used, and of indexes that cannot be read. What is
  ///   published is listed, as far as it can be read.
  /// - Throws: what ``RepositoryFolder/load()`` throws.
  public func releases(
    _ complain: (SignetError) -> Void = { _ in }
  ) throws(SignetError) -> [(publisher: String, release: ModuleRelease)] {
    let content = try folder.load()
    let targets = try newestTargets(content)
    var releases: [(publisher: String, release: ModuleRelease)] = []
    for publisher in try Self.publishers(of: targets) {
      func add(_ drafts: RoleTargets.Drafts) throws(SignetError) {
        let role = try RoleTargets(of: publisher.name, under: targets, in: content, continuing: drafts)
        var offered = OfferedModules(of: publisher, role, in: folder)
        for module in try offered.modules() {
          do throws(SignetError) {
            releases += try offered.index(of: module).releases.map { (publisher.name, $0) }
          } catch {
            complain(error)
          }
        }
      }
      do throws(SignetError) { try add(.shown) } catch {
        complain(error)
        try? add(.published)
      }
    }
    return releases.sorted {
      ("\($0.release.identifier)", $0.release.sequence) < ("\($1.release.identifier)", $1.release.sequence)
    }
  }

  /// What is wrong with the indexes of modules: those that clients could not read, and releases whose files are not
  /// offered.
  ///
  /// - Throws: what ``RepositoryFolder/load()`` throws; `file.…`.
  public func indexFaults() throws(SignetError) -> [SignetError] {
    let content = try folder.load()
    guard let targets = content.targets?.role else { throw Self.noRegistry(folder.path) }
    var faults: [SignetError] = []
    for publisher in try Self.publishers(of: targets) {
      do throws(SignetError) {
        let role = try RoleTargets(of: publisher.name, under: targets, in: content, continuing: .published)
        var offered = OfferedModules(of: publisher, role, in: folder)
        for module in try offered.modules() {
          do throws(SignetError) { faults += try offered.faults(of: module) } catch { faults.append(error) }
        }
      } catch  where Set.aboutTUF.contains(error.code) {
        // The check of the repository tells it.
        continue
      }
    }
    return faults
  }
}

extension OfferedModules {
  fileprivate mutating func faults(of module: ModuleIdentifier) throws(SignetError) -> [SignetError] {
    var faults: [SignetError] = []
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
    return faults + index.unreadable
  }
}
