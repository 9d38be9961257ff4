public import SignetBase
internal import SignetCrypto

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
