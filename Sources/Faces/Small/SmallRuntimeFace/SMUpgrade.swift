internal import PluginHost
internal import Signet
public import SignetBase
internal import SignetSystem

/// The outcome of an upgrade.
public enum SMUpgrade: Sendable, Equatable {
  /// There is nothing newer than what is in use, or nothing opens the bundle.
  case none
  /// The new release of resources is in use.
  case applied
  /// The new release has code, and is used from the next start on.
  case restartRequired
}

/// Upgrading bundles while the host runs.
extension Small {
  /// Where a patch of a bundle is put for `upgrade(_:)`, or for the next setup: an archive with its signature in it or
  /// beside it. Write it elsewhere, and give it this name when it is whole; a file beside it comes first.
  ///
  /// - Returns: nil for the host itself, and for a name that no module can have.
  public func patchFile(of bundle: SMBundle) -> String? { bundle.identifier.map { patches.path(of: $0) } }

  /// Installs the patch of a bundle if there is one, and uses the newest release if it has no code.
  ///
  /// The old release stays in use until the new one is verified. The order of the bundles does not change.
  ///
  /// - Throws: why the patch is refused, or its release cannot be used. A patch that is refused is set aside, as
  ///   `PKG.zip.refused`.
  @available(*, noasync, message: "use the async form")
  public func upgrade(_ bundle: SMBundle) throws(SignetError) -> SMUpgrade {
    guard let module = bundle.identifier, launcher(of: bundle) != nil else { return .none }
    if let patch = try patches.patch(of: module) { try install(patch) }
    guard let isCode = newer(bundle) else { return .none }
    if isCode { return .restartRequired }
    try host.load(module)
    return reload(bundle)
  }

  /// Installs the patch of a bundle as `upgrade(_:)` does, for tasks.
  public func upgrade(_ bundle: SMBundle) async throws(SignetError) -> SMUpgrade {
    guard let module = bundle.identifier, launcher(of: bundle) != nil else { return .none }
    if let patch = try patches.patch(of: module) { try await install(patch) }
    guard let isCode = newer(bundle) else { return .none }
    if isCode { return .restartRequired }
    try await host.load(module)
    return reload(bundle)
  }

  /// Whether the release in use has code; nil if there is no newer one.
  private func newer(_ bundle: SMBundle) -> Bool? {
    guard let loaded = bundle.module, let newest = host.installedSequence(of: loaded.module.identifier),
      newest > loaded.sequence
    else { return nil }
    return !loaded.images.isEmpty
  }

  /// Lets launchers take the bundle with its new resources.
  private func reload(_ bundle: SMBundle) -> SMUpgrade {
    state.withLock { $0.applicable[bundle.key] = nil }
    return resolve(bundle) == nil ? .none : .applied
  }

  // MARK: Patches

  @available(*, noasync, message: "use the async form")
  func install(_ patch: SMPatches.Patch) throws(SignetError) {
    try finish(
      patch, Result { () throws(SignetError) in try host.install(patch.path, module: patch.module) }.map { _ in })
  }

  func install(_ patch: SMPatches.Patch) async throws(SignetError) {
    let result: Result<Void, SignetError>
    do throws(SignetError) {
      try await host.install(patch.path, module: patch.module)
      result = .success(())
    } catch { result = .failure(error) }
    try finish(patch, result)
  }

  /// Removes a patch that was installed, and sets one aside that was refused. One that could not be installed for a
  /// reason of the store's stays.
  private func finish(_ patch: SMPatches.Patch, _ result: Result<Void, SignetError>) throws(SignetError) {
    do throws(SignetError) {
      try result.get()
      patches.remove(patch)
    } catch {
      // Another caller has just installed it, or is putting an earlier one away. It is not refused for that.
      guard error.code != .fileMissing else { return }
      if !error.isOfStore { patches.setAside(patch) }
      throw error
    }
  }
}
