public import SignetBase

/// What is wrong with a module's binaries.
extension SignetError.Code {
  // MARK: Refusals

  /// No ELF file, a damaged one, or one whose tables contradict each other.
  public static let elfMalformed = Self("elf.malformed")
  /// Made for something else than the platform it is named for.
  public static let elfArchitecture = Self("elf.architecture")
  /// No shared library.
  public static let elfType = Self("elf.type")
  /// A dynamic tag or flag that the loader does not know, or knows and refuses.
  public static let elfDynamicTag = Self("elf.dynamic-tag")
  /// A dynamic tag that stands twice and may not.
  public static let elfRepeatedTag = Self("elf.repeated-tag")
  /// A needed library that is named by a path, or by something that the dynamic linker expands.
  public static let elfNeededName = Self("elf.needed-name")
  /// A needed library that the module neither declares nor brings.
  public static let elfUndeclaredLibrary = Self("elf.undeclared-library")
  /// The process's stack would become executable.
  public static let elfExecutableStack = Self("elf.executable-stack")
  /// A segment that can be written and executed.
  public static let elfWritableExecutable = Self("elf.writable-executable")
  /// No build-id.
  public static let elfBuildID = Self("elf.build-id")
  /// A library that has no name of its own, or another than that of its file.
  public static let elfSoname = Self("elf.soname")
  /// A library under a name that the process may have for another one.
  public static let elfSonameConflict = Self("elf.soname-conflict")
  /// A relocation of a kind that the dynamic linker does not know or that libraries have no use for, or one that writes where
  /// nothing may be written.
  public static let elfRelocation = Self("elf.relocation")
  /// A symbol of a binding, a type or a place that the dynamic linker finds nothing by.
  public static let elfSymbol = Self("elf.symbol")
  /// Variables of threads that need room in what a process sets aside for them when it starts.
  public static let elfStaticTLS = Self("elf.static-tls")
  /// An initializer or finalizer that is no code of the library's.
  public static let elfInitializer = Self("elf.initializer")
  /// Libraries that need each other, so that none can be opened first.
  public static let elfLibraryCycle = Self("elf.library-cycle")
  /// The principal is not a symbol of the module's own.
  public static let elfPrincipal = Self("elf.principal")

  // MARK: Advice

  /// A binary that is no ELF file by its platform.
  public static let elfUnchecked = Self("elf.unchecked")
  /// A search path, which the loader never consults.
  public static let elfRunpath = Self("elf.runpath")
  /// Symbols that are bound when they are first used, in tables that stay writable.
  public static let elfLazyBinding = Self("elf.lazy-binding")
  /// Symbols of which a process keeps only the first definition.
  public static let elfUniqueSymbols = Self("elf.unique-symbols")
  /// Symbols in whose place the module gets the host's of the same name.
  public static let elfInterposableSymbols = Self("elf.interposable-symbols")
  /// A library that is declared or brought, and that nothing needs.
  public static let elfUnusedLibrary = Self("elf.unused-library")
}
