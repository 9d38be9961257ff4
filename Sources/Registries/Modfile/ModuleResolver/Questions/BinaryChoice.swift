public import SignetBase
public import SignetNames

/// Which modules a host uses as binary, and which as source.
///
/// `use_lib=1` in the environment asks for the binaries of all modules, and `NAME_use_lib=1` for that of one. Either is
/// enough. Unset, empty and `0` mean off. Any other value is refused, because it may be meant as off.
public struct BinaryChoice: Sendable {
  /// How each module is used, in the order of the identifiers.
  public let uses: [(module: ModuleIdentifier, use: Use)]
  /// Modules that were asked for by name, and have no binary. They stay source.
  public let withoutBinary: [ModuleIdentifier]
  /// Variables that are on and name no module, in the order of their bytes.
  public let unknown: [String]

  /// How a module is used.
  public enum Use: Sendable {
    /// It is built from its source.
    case source
    /// Its release's code is used.
    case binary
  }

  /// The variable for all modules, and the end of those for one.
  private static let all = "use_lib"

  /// Chooses for each module.
  ///
  /// - Parameters:
  ///   - modules: the modules, and whether their releases have binaries.
  ///   - environment: the variables of the environment. Only those named above are looked at.
  /// - Throws: `resolve.switch`.
  public init(
    _ modules: [(module: ModuleIdentifier, hasBinary: Bool)], environment: [String: String]
  ) throws(SignetError) {
    let suffix = "_" + Self.all
    var switched: Set<String> = []
    let names = environment.keys.filter {
      $0.isExactly(Self.all) || $0.utf8.reversed().starts(with: suffix.utf8.reversed())
    }
    for name in names.sorted(by: { $0.precedesInBytes($1) }) where try Self.isOn(name, environment[name] ?? "") {
      switched.insert(name)
    }
    let isForAll = switched.remove(Self.all) != nil
    var uses: [(module: ModuleIdentifier, use: Use)] = []
    var withoutBinary: [ModuleIdentifier] = []
    for (module, hasBinary) in modules.sorted(by: { $0.module.precedes($1.module) }) {
      let isNamed = switched.remove(Self.variable(of: module)) != nil
      if isNamed, !hasBinary { withoutBinary.append(module) }
      uses.append((module, hasBinary && (isForAll || isNamed) ? .binary : .source))
    }
    self.uses = uses
    self.withoutBinary = withoutBinary
    unknown = switched.sorted { $0.precedesInBytes($1) }
  }

  /// The variable for one module: its identifier with `_` for each dot and `__` for each hyphen, and `_use_lib`.
  ///
  /// No two modules share a variable. Dots are never side by side nor beside hyphens, so one `_` is a dot, and an even
  /// number of them are hyphens.
  public static func variable(of module: ModuleIdentifier) -> String {
    let parts = module.description.unicodeScalars.map { scalar in
      switch scalar {
      case ".": "_"
      case "-": "__"
      default: String(scalar)
      }
    }
    return parts.joined() + "_" + all
  }

  private static func isOn(_ name: String, _ value: String) throws(SignetError) -> Bool {
    if value.isEmpty || value.isExactly("0") { return false }
    if value.isExactly("1") { return true }
    throw SignetError(
      .resolveSwitch, name.display, "is neither on nor off", expected: "1 for binaries, 0 or nothing for source",
      found: value.display, hint: "set the variable to 1 or 0")
  }
}
