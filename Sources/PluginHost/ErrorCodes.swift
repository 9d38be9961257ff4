public import SignetBase

/// Why a host does not use a module.
extension SignetError.Code {
  /// A module that this start leaves out.
  public static let hostLeftOut = Self("host.left-out")
  /// A module that waits to be loaded alone, because the process may have crashed with it.
  public static let hostHeldBack = Self("host.held-back")
  /// Another module, or another release of it, or another version of the host is required.
  public static let hostRequirement = Self("host.requirement")
  /// A host that does not say which it is.
  public static let hostIdentifier = Self("host.identifier")
  /// Modules that require each other.
  public static let hostRequirementCycle = Self("host.requirement-cycle")
  /// Too many modules in a row that require each other.
  public static let hostRequirementDepth = Self("host.requirement-depth")
  /// Routes, targets or services that cannot be registered.
  public static let hostDeclaration = Self("host.declaration")
  /// The program has two copies of PluginKit, and plugins would get another one than the host.
  public static let hostPluginKitNotShared = Self("host.pluginkit-not-shared")
}

/// Why the code of a module that was verified is not loaded.
extension SignetError.Code {
  /// Private memory, `/proc` or executable mappings are denied, or the system is none that modules are loaded on.
  public static let loaderUnavailable = Self("loader.unavailable")
  /// The module has no code for this platform.
  public static let loaderPlatform = Self("loader.platform")
  /// A library that neither the host nor the module has.
  public static let loaderLibraryMissing = Self("loader.library-missing")
  /// A library of the host's list that is not there, or not under the name it is needed by.
  public static let loaderHostLibrary = Self("loader.host-library")
  /// A symbol that nobody has.
  public static let loaderSymbolMissing = Self("loader.symbol-missing")
  /// A version of a library that the library does not have.
  public static let loaderVersionMissing = Self("loader.version-missing")
  /// The dynamic linker gave a library that it had loaded before.
  public static let loaderHandleReused = Self("loader.handle-reused")
  /// The dynamic linker refused a library.
  public static let loaderOpenFailed = Self("loader.open-failed")
  /// The principal that was found is not the module's.
  public static let loaderPrincipal = Self("loader.principal")
  /// The module would take descriptors that are kept for its host.
  public static let loaderDescriptors = Self("loader.descriptors")
  /// The process has few descriptors left: told before modules are refused for it.
  public static let loaderDescriptorsLow = Self("loader.descriptors-low")
  /// The module's entry failed.
  public static let loaderEntryFailed = Self("loader.entry-failed")
  /// The module failed once its code had been opened: nothing changes until the program starts again.
  public static let loaderFinal = Self("loader.final")
  /// Another release of the module is loaded.
  public static let loaderOtherRelease = Self("loader.other-release")
  /// A module that is being loaded wants another one loaded.
  public static let loaderReentered = Self("loader.reentered")
}
