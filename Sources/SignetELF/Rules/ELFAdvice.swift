package import SignetBase

/// What is unwise in a library (docs/format.md, section 13).
extension ELFImage {
  /// What is legal in the library but unwise.
  package func advice() -> [SignetError] {
    var advice: [SignetError] = []
    if let searchPath {
      advice.append(
        fault(
          .elfRunpath, "has a search path for libraries, which is never consulted", found: searchPath,
          hint: "build it with -no-toolchain-stdlib-rpath and --disable-local-rpath"))
    }
    if !bindsNow {
      advice.append(
        fault(
          .elfLazyBinding, "leaves the table of its functions writable", expected: "BIND_NOW",
          hint: "link it with -Xlinker -z -Xlinker now"))
    }
    let unique = symbols.filter { $0.isDefined && $0.binding == .unique }
    if !unique.isEmpty {
      advice.append(
        fault(
          .elfUniqueSymbols, "has symbols of which the process keeps the first definition, whoever made it",
          found: Self.some(unique), hint: "compile it with -fno-gnu-unique or -fvisibility=hidden"))
    }
    return advice
  }

  /// The first names of many.
  static func some(_ symbols: [ELFSymbol]) -> String {
    let shown = symbols.prefix(3).map(\.name).joined(separator: ", ")
    return symbols.count > 3 ? "\(shown) and \(symbols.count - 3) more" : shown
  }
}
