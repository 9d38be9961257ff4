internal import ModuleStore
internal import Signet
internal import SignetBase
internal import SignetELF

/// A module's code that has passed every check that is possible before any of it is opened.
struct PreparedModule {
  /// A library: the sealed copy, and what was read from it.
  struct Library {
    let sealed: SealedFile
    let image: ELFImage
  }

  let release: InstalledModule
  /// The libraries in the order in which they are opened: each after those that it needs, the one with the principal
  /// last.
  let libraries: [Library]
  /// The library with the principal.
  let main: Library
  let principal: String

  /// Copies, seals, hashes and reads the code of a release.
  ///
  /// - Parameters:
  ///   - reserved: names that the process uses for other libraries, in several sets.
  ///   - pageSize: the size of a memory page in bytes.
  /// - Throws: `loader.platform`, `loader.unavailable`, `digest.mismatch`, `elf.…`, `file.…`: the first fault.
  init(
    _ release: InstalledModule, reserved: [Set<[UInt8]>], pageSize: UInt64 = ProcessMemory.pageSize
  ) throws(SignetError) {
    guard let platform = ModulePlatform.current, let machine = platform.machine,
      let binary = release.module.binaries[platform], let principal = release.module.principal
    else {
      throw SignetError(
        .loaderPlatform, "\(release.module.identifier)", "has no code for this platform",
        expected: ModulePlatform.current.map { "\($0)" } ?? "a platform that modules are loaded on",
        found: release.module.binaries.keys.map { "\($0)" }.sorted().joined(separator: ", "))
    }
    var all: [Library] = []
    for path in [binary.path] + binary.libraries {
      let signed = try release.file(path)
      let sealed = try SealedFile(
        copying: signed.file, size: signed.size, sha256: signed.sha256,
        name: "\(release.module.identifier)@\(release.module.version)")
      let image = try ELFImage(sealed.file, path: path, for: machine)
      guard image.fits(pageSize: pageSize) else {
        throw SignetError(
          .loaderPlatform, path, "was linked for smaller memory pages than this system uses",
          expected: "segments aligned to \(pageSize)", hint: "link it with -Xlinker -z -Xlinker max-page-size=65536")
      }
      all.append(Library(sealed: sealed, image: image))
    }
    let whole = ModuleBinary(
      of: release.module.identifier, on: platform, main: all[0].image, libraries: all.dropFirst().map(\.image),
      declared: binary.needed, principal: principal, reserved: reserved + [Self.foundElsewhere(all.map(\.image))])
    if let fault = whole.findings().errors.first { throw fault }
    guard let order = whole.loadOrder() else {
      throw SignetError(.elfLibraryCycle, binary.path, "has libraries that depend on each other")
    }
    libraries = order.compactMap { image in all.dropFirst().first { $0.image.path.isExactly(image.path) } } + [all[0]]
    main = all[0]
    self.release = release
    self.principal = principal
  }

  /// Names of the module's libraries under which the system has others. The host may open those later, and would get
  /// the module's.
  private static func foundElsewhere(_ images: [ELFImage]) -> Set<[UInt8]> {
    #if canImport(Glibc)
      Set(images.compactMap(\.soname).filter(LinkerSearch.finds).map { Array($0.utf8) })
    #else
      []
    #endif
  }
}
