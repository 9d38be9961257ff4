public import SignetBase

/// Reasons why a host does not use a module.
extension SignetError.Code {
  /// A module that this start leaves out.
  public static let hostLeftOut = Self("host.left-out", .refusal)
  /// A module that waits to be loaded alone, because it may have crashed the process.
  public static let hostHeldBack = Self("host.held-back", .refusal)
  /// A requirement that is not met: for another module, another release of it, or another version of the host.
  public static let hostRequirement = Self("host.requirement", .refusal)
  /// A host that has no identifier.
  public static let hostIdentifier = Self("host.identifier", .failure)
  /// Modules that require each other.
  public static let hostRequirementCycle = Self("host.requirement-cycle", .refusal)
  /// Too long a chain of modules that require each other.
  public static let hostRequirementDepth = Self("host.requirement-depth", .refusal)
  /// Routes, targets or services that cannot be registered, or routes that the host's manifest gives to another module.
  public static let hostDeclaration = Self("host.declaration", .refusal)
  /// A host that has no registry.
  public static let hostNoRegistry = Self("host.no-registry", .failure)
  /// A module of which the registry offers no release that the host can use.
  public static let hostNotOffered = Self("host.not-offered", .failure)
  /// An installed release that its publisher has withdrawn.
  public static let hostWithdrawn = Self("host.withdrawn", .refusal)
  /// The program has two copies of PluginKit, and plugins would get another copy than the host.
  public static let hostPluginKitNotShared = Self("host.pluginkit-not-shared", .failure)
}

/// Reasons why the code of a verified module is not loaded.
extension SignetError.Code {
  /// Private memory, `/proc` or executable mappings are denied, or modules cannot be loaded on this system.
  public static let loaderUnavailable = Self("loader.unavailable", .failure)
  /// The module has no code for this platform, or was linked for smaller memory pages.
  public static let loaderPlatform = Self("loader.platform", .refusal)
  /// A library that neither the host nor the module provides.
  public static let loaderLibraryMissing = Self("loader.library-missing", .refusal)
  /// A library of the host's list that is missing, or does not have the name by which it is needed.
  public static let loaderHostLibrary = Self("loader.host-library", .failure)
  /// A symbol that no library defines.
  public static let loaderSymbolMissing = Self("loader.symbol-missing", .refusal)
  /// A version of a library that the library does not have.
  public static let loaderVersionMissing = Self("loader.version-missing", .refusal)
  /// The dynamic linker returned a library that it had loaded before.
  public static let loaderHandleReused = Self("loader.handle-reused", .refusal)
  /// The dynamic linker refused a library.
  public static let loaderOpenFailed = Self("loader.open-failed", .failure)
  /// The principal that was found is not the module's.
  public static let loaderPrincipal = Self("loader.principal", .refusal)
  /// The module needs descriptors that are reserved for the host.
  public static let loaderDescriptors = Self("loader.descriptors", .failure)
  /// The process has few descriptors left. This is reported before modules are refused for it.
  public static let loaderDescriptorsLow = Self("loader.descriptors-low", .failure)
  /// The module's entry failed.
  public static let loaderEntryFailed = Self("loader.entry-failed", .failure)
  /// The module failed after its code was opened. Nothing changes until the program starts again.
  public static let loaderFinal = Self("loader.final", .failure)
  /// Another release of the module is loaded.
  public static let loaderOtherRelease = Self("loader.other-release", .failure)
  /// A module that is being loaded asks for another one to be loaded.
  public static let loaderReentered = Self("loader.reentered", .failure)
}
