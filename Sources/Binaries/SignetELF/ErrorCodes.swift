public import SignetBase

/// Faults of a module's binaries.
extension SignetError.Code {
  // MARK: Refusals

  /// A file that is not an ELF file or is damaged, or whose tables contradict each other.
  public static let elfMalformed = Self("elf.malformed", .refusal)
  /// A binary that was built for something other than the platform for which it is named.
  public static let elfArchitecture = Self("elf.architecture", .refusal)
  /// A binary that is not a shared library.
  public static let elfType = Self("elf.type", .refusal)
  /// A dynamic tag or flag that the loader does not know, or knows and refuses.
  public static let elfDynamicTag = Self("elf.dynamic-tag", .refusal)
  /// A dynamic tag that occurs twice, but is allowed only once.
  public static let elfRepeatedTag = Self("elf.repeated-tag", .refusal)
  /// A needed library that is named by a path, or by a text that the dynamic linker expands.
  public static let elfNeededName = Self("elf.needed-name", .refusal)
  /// A needed library that the module neither declares nor includes.
  public static let elfUndeclaredLibrary = Self("elf.undeclared-library", .refusal)
  /// A library that would make the stack of the process executable.
  public static let elfExecutableStack = Self("elf.executable-stack", .refusal)
  /// A segment that can be written and executed.
  public static let elfWritableExecutable = Self("elf.writable-executable", .refusal)
  /// A library without exactly one build-id.
  public static let elfBuildID = Self("elf.build-id", .refusal)
  /// A library without its own name, or whose name differs from that of its file.
  public static let elfSoname = Self("elf.soname", .refusal)
  /// A library with a name that the process may use for another library.
  public static let elfSonameConflict = Self("elf.soname-conflict", .refusal)
  /// A relocation that is unknown to the dynamic linker, has no use in libraries, or writes where writing is not
  /// allowed.
  public static let elfRelocation = Self("elf.relocation", .refusal)
  /// A symbol with a binding, type or place that the dynamic linker cannot use.
  public static let elfSymbol = Self("elf.symbol", .refusal)
  /// Thread-local variables that need the room which a process reserves for them when it starts.
  public static let elfStaticTLS = Self("elf.static-tls", .refusal)
  /// An initializer or finalizer that is not code of the library.
  public static let elfInitializer = Self("elf.initializer", .refusal)
  /// Libraries that need each other, so that none of them can be opened first.
  public static let elfLibraryCycle = Self("elf.library-cycle", .refusal)
  /// A principal that is not a symbol of the module itself.
  public static let elfPrincipal = Self("elf.principal", .refusal)

  // MARK: Advice

  /// A binary for a platform that does not use ELF files.
  public static let elfUnchecked = Self("elf.unchecked", .refusal)
  /// A search path, which the loader never uses.
  public static let elfRunpath = Self("elf.runpath", .refusal)
  /// Symbols that are bound on first use, in tables that stay writable.
  public static let elfLazyBinding = Self("elf.lazy-binding", .refusal)
  /// Symbols for which a process keeps only the first definition.
  public static let elfUniqueSymbols = Self("elf.unique-symbols", .refusal)
  /// Symbols that the host's symbols of the same name replace in the module.
  public static let elfInterposableSymbols = Self("elf.interposable-symbols", .refusal)
  /// A library that is declared or included, but not needed.
  public static let elfUnusedLibrary = Self("elf.unused-library", .refusal)
}
