import Signet

@testable import ModuleResolver
@testable import SignetNames

/// Modfiles and their locks.
enum FedModfiles {
  /// What is accepted can be written and read again, and says who serves each module. Without any offers nothing is
  /// found, which is an error with a code.
  static func feed(_ bytes: [UInt8]) {
    guard let file = try? Modfile(bytes) else { return }
    let text = Array(file.text.utf8)
    guard let again = try? Modfile(text) else { return require(false, "a Modfile that was written cannot be read") }
    require(Array(again.text.utf8) == text, "a Modfile changed")
    for request in file.requests where file.override(of: request.identifier) == nil {
      guard let source = file.source(of: request.identifier) else {
        return require(false, "a module has no source")
      }
      require(source.modules.contains { $0.covers(request.identifier) }, "a source serves what it may not")
    }
    do throws(SignetError) {
      let resolution = try ModuleResolver.resolve(file, offers: NoOffers())
      require(resolution.modules.count == Set(file.requests.map(\.identifier)).count, "a module is missing")
    } catch {
      require([.resolveMissing, .resolveConflict].contains(error.code), "another code: \(error)")
    }
  }

  /// What is accepted is written with the same bytes.
  static func feedLock(_ bytes: [UInt8]) {
    guard let lock = try? ModuleLock(bytes) else { return }
    require(Array(lock.text.utf8) == bytes, "two texts for one lock")
    for module in lock.modules {
      require(lock[module.identifier] == module, "a module is not found")
    }
    require((try? ModuleLock(lock.modules.reversed())) == lock, "a lock depends on the order of its modules")
  }

  /// Sources without any module, and folders with modules that require none.
  private struct NoOffers: CandidateSource {
    func releases(of module: ModuleIdentifier, from source: ModuleSource) throws(SignetError) -> [CandidateRelease] {
      []
    }

    func module(_ module: ModuleIdentifier, at override: ModuleOverride) throws(SignetError) -> CandidateRelease {
      guard let version = SemanticVersion("1.0.0") else {
        throw SignetError(.resolveOffers, "\(module)", "has no version")
      }
      return CandidateRelease(version: version, sequence: 1, requirements: [], hasBinary: false)
    }
  }
}
