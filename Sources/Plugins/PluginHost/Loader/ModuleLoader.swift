public import ModuleStore
internal import Signet
public import SignetBase
internal import SignetELF
internal import SignetSystem

/// The loader for the code of installed modules: what was verified is, byte for byte, what runs.
///
/// Loading has two phases. In the first, the binary and each library that comes with it are copied into sealed memory,
/// hashed there, and read. Every library and every symbol that they need has to be there already. A failure in this
/// phase has run no code of the module, and loading may be tried again. In the second phase they are opened, from that
/// memory and in order. A failure in this phase has run code, and is final until the program starts again. Nothing is
/// ever closed.
///
/// Loaded code has the rights of its host. Only Linux with glibc loads modules.
public final class ModuleLoader: Sendable {
  /// The loaded code of a release.
  public struct Code: Sendable {
    /// The release that the code belongs to.
    public let release: InstalledModule
    /// The principal's address: a function `signet_principal` of the header `signet_plugin.h`.
    public let principal: UInt
    /// The module's libraries in this process, in the order in which they were opened.
    public let images: [LoadedImage]
  }

  private struct State {
    var loaded: [ModuleIdentifier: Code] = [:]
    var failed: [ModuleIdentifier: SignetError] = [:]
    /// Everything that was opened, including the libraries of modules that failed then. It stays for good.
    var images: [LoadedImage] = []
    /// Whether it was reported that few descriptors are left.
    var hasWarned = false
  }

  private let hostLibraries: [String: String]
  /// The names of libraries that the host had before its first module.
  private let namesAtStart: Set<[UInt8]>
  private let turn = LoadingTurn()
  private let state = Monitor(State())

  /// Makes a loader. A host has one, and makes it before it loads anything that it was not linked with.
  ///
  /// - Parameter hostLibraries: libraries that modules may need and that the host opens for them: the DT_SONAME and the
  ///   absolute path of each.
  public init(hostLibraries: [String: String] = [:]) {
    self.hostLibraries = hostLibraries
    #if canImport(Glibc)
      namesAtStart = ProcessLibraries.names()
    #else
      namesAtStart = []
    #endif
  }

  /// The libraries of modules in this process, for crash reporters. They include modules that failed after they were
  /// opened.
  public var images: [LoadedImage] { state.withLock { $0.images }.sorted { $0.base < $1.base } }

  /// The notice that few descriptors are left, once each time that they become few: `loader.descriptors-low`.
  func descriptorWarning() -> SignetError? {
    guard let budget = DescriptorBudget.now() else { return nil }
    let isNew = state.withLock { state in
      defer { state.hasWarned = budget.isLow }
      return budget.isLow && !state.hasWarned
    }
    return isNew ? budget.warning : nil
  }

  /// Loads a release's code and enters it, or returns what was loaded of it before.
  ///
  /// ``PluginHost`` does this with a switchboard. A program that calls modules in other ways can use the loader alone.
  ///
  /// - Parameters:
  ///   - release: the release, as the store has verified it.
  ///   - enter: calls the principal.
  /// - Throws: in the first phase `loader.platform`, `loader.unavailable`, `loader.descriptors`,
  ///   `loader.library-missing`, `loader.host-library`, `loader.symbol-missing`, `loader.version-missing`,
  ///   `digest.mismatch`, `elf.…`, `file.…`, `crypto.failure`. In the second phase and after it, `loader.final`. Also
  ///   `loader.other-release`, `loader.reentered`.
  @discardableResult public func load(
    _ release: InstalledModule, enter: (Code) throws(SignetError) -> Void
  ) throws(SignetError) -> Code {
    try load(release, noting: { _ in }, enter: enter)
  }

  /// - Parameter note: receives the steps of the second phase. It is not called for code that is loaded already, or if
  ///   the first phase fails.
  func load(
    _ release: InstalledModule, noting note: (LoadingJournal.Step) -> Void,
    enter: (Code) throws(SignetError) -> Void
  ) throws(SignetError) -> Code {
    let identifier = release.module.identifier
    return try turn.hold("\(identifier)") { () throws(SignetError) in
      let (known, failure) = state.withLock { ($0.loaded[identifier], $0.failed[identifier]) }
      if let known {
        guard known.release.sha256 == release.sha256 else {
          throw SignetError(
            .loaderOtherRelease, "\(identifier)", "is already loaded in another release",
            expected: "\(known.release.sequence)",
            found: "\(release.sequence)", hint: "restart the program")
        }
        return known
      }
      if let failure { throw failure }
      #if canImport(Glibc)
        let prepared = try prepare(release)
        note(.opening)
        do throws(SignetError) {
          let code = try open(prepared)
          try enter(code)
          state.withLock { $0.loaded[identifier] = code }
          note(.loaded)
          return code
        } catch {
          let final = Self.final(identifier, error)
          state.withLock { $0.failed[identifier] = final }
          note(.failed)
          throw final
        }
      #else
        throw SealedFile.unavailable("\(identifier)")
      #endif
    }
  }

  private static func final(_ identifier: ModuleIdentifier, _ error: SignetError) -> SignetError {
    SignetError(
      .loaderFinal, "\(identifier)", "failed after its code was opened", cause: error,
      hint: "fix the cause, then restart the program")
  }
}

#if canImport(Glibc)
  extension ModuleLoader {
    private func prepare(_ release: InstalledModule) throws(SignetError) -> Preparation {
      try checkDescriptors(release)
      let names = ProcessLibraries.names()
      let module = try PreparedModule(release, reserved: [names, Set(hostLibraries.keys.map { Array($0.utf8) })])
      let images = module.libraries.map(\.image)
      var providers: [[UInt8]: SymbolResolution.Provider] = [:]
      for (index, image) in images.dropLast().enumerated() {
        providers[Array(image.fileName.utf8)] = .module(index)
      }
      for image in images {
        for name in image.needed where providers[Array(name.utf8)] == nil {
          providers[Array(name.utf8)] = .process(try library(name, for: image, names))
        }
      }
      guard let global = ProcessLibrary.global() else {
        throw SignetError(
          .loaderUnavailable, "\(release.module.identifier)", "the program's symbols cannot be looked up")
      }
      try SymbolResolution(images, providers, global).check()
      return Preparation(module: module, providers: providers)
    }

    /// Checks for enough descriptors. Each library keeps one for good. Others that are opened on the way are closed
    /// again, and come from the reserve.
    private func checkDescriptors(_ release: InstalledModule) throws(SignetError) {
      guard let platform = ModulePlatform.current, let binary = release.module.binaries[platform],
        let budget = DescriptorBudget.now()
      else { return }
      let count = 1 + binary.libraries.count
      guard budget.allows(count) else { throw budget.exhausted("\(release.module.identifier)", count) }
    }

    /// A library of the host's list, or one that the host had loaded before its first module. No folder is searched.
    private func library(
      _ name: String, for image: ELFImage, _ names: Set<[UInt8]>
    ) throws(SignetError) -> ProcessLibrary {
      let bytes = Array(name.utf8)
      if let path = hostLibraries.first(where: { $0.key.isExactly(name) })?.value {
        return try hostLibrary(name, path)
      }
      guard namesAtStart.contains(bytes), names.contains(bytes), let library = ProcessLibrary.loaded(name) else {
        throw SignetError(
          .loaderLibraryMissing, image.path, "needs a library that neither the host nor the module provides",
          expected: "a library that the host is linked with or lists", found: name,
          hint: "add it to the module's `libraries`, or to the host's list")
      }
      return library
    }

    private func hostLibrary(_ name: String, _ path: String) throws(SignetError) -> ProcessLibrary {
      func wrong(_ message: String, _ cause: (any Error)? = nil) -> SignetError {
        SignetError(
          .loaderHostLibrary, name, message, expected: "a library at an absolute path with this DT_SONAME",
          found: path,
          cause: cause, hint: "correct the host's list of libraries")
      }
      guard path.utf8.first == UInt8(ascii: "/") else { throw wrong("is listed with a path that is not absolute") }
      let library: ProcessLibrary
      do throws(LinkerFailure) { library = try .open(path) } catch {
        throw wrong("cannot be opened by the host", error)
      }
      // Otherwise the dynamic linker would search folders for it once a module needs it.
      guard ProcessLibraries.names().contains(Array(name.utf8)),
        ProcessLibrary.loaded(name)?.isSame(as: library) == true
      else { throw wrong("is another library than the host lists") }
      return library
    }

    /// Everything that is needed to open a module.
    private struct Preparation {
      let module: PreparedModule
      let providers: [[UInt8]: SymbolResolution.Provider]
    }

    private func open(_ preparation: Preparation) throws(SignetError) -> Code {
      let module = preparation.module
      var opened: [ProcessLibrary] = []
      var images: [LoadedImage] = []
      for library in module.libraries {
        let handle = try Self.open(library)
        let image = try Self.describe(library, handle, module.release)
        state.withLock { $0.images.append(image) }
        for name in library.image.needed {
          let expected: ProcessLibrary? =
            switch preparation.providers[Array(name.utf8)] {
            case .process(let library): library
            case .module(let index): opened[index]
            case nil: nil
            }
          guard let expected, ProcessLibrary.loaded(name)?.isSame(as: expected) == true else {
            throw SignetError(
              .loaderOpenFailed, library.image.path, "resolved to a library that was not verified",
              found: name)
          }
        }
        opened.append(handle)
        images.append(image)
      }
      guard let main = opened.last, let base = main.base else {
        throw SignetError(.loaderOpenFailed, module.main.image.path, "is not among the libraries of the process")
      }
      return Code(release: module.release, principal: try Self.principal(module, main, base), images: images)
    }

    private static func open(_ library: PreparedModule.Library) throws(SignetError) -> ProcessLibrary {
      let path = library.sealed.path
      guard !ProcessLibraries.has(path: path) else { throw reused(library, path) }
      ModuleCode.add(path)
      let handle: ProcessLibrary
      do throws(LinkerFailure) { handle = try .open(path) } catch {
        throw SignetError(.loaderOpenFailed, library.image.path, "cannot be opened", cause: error)
      }
      library.sealed.keep()
      guard OpenedLibraries.insert(handle.number), handle.name?.isExactly(path) == true else {
        throw reused(library, handle.name ?? "no name")
      }
      return handle
    }

    private static func reused(_ library: PreparedModule.Library, _ found: String) -> SignetError {
      SignetError(
        .loaderHandleReused, library.image.path, "would resolve to a library that was loaded before",
        expected: library.sealed.path, found: found)
    }

    private static func describe(
      _ library: PreparedModule.Library, _ handle: ProcessLibrary, _ release: InstalledModule
    ) throws(SignetError) -> LoadedImage {
      guard let base = handle.base, let buildID = library.image.buildID else {
        throw SignetError(.loaderOpenFailed, library.image.path, "is not among the libraries of the process")
      }
      return LoadedImage(
        module: release.module.identifier, version: release.module.version, sequence: release.sequence,
        path: library.image.path, base: base, size: UInt(library.image.memoryEnd), buildID: buildID,
        name: library.sealed.path, start: base &+ UInt(library.image.memoryStart))
    }

    /// The principal's address in the module's own image. The dynamic linker would also find what others have under its
    /// name.
    private static func principal(
      _ module: PreparedModule, _ main: ProcessLibrary, _ base: UInt
    ) throws(SignetError) -> UInt {
      let own = module.main.image.symbols.first { symbol in
        symbol.isDefined && symbol.binding != .local && symbol.nameBytes.elementsEqual(module.principal.utf8)
      }
      let expected = own.map { base &+ UInt($0.value) }
      let found = main.address(of: module.principal)
      guard let expected, expected == found else {
        throw SignetError(
          .loaderPrincipal, module.main.image.path, "has a principal that belongs to another library",
          expected: expected.map { "0x" + String($0, radix: 16) }, found: found.map { "0x" + String($0, radix: 16) })
      }
      return expected
    }
  }
#endif
