/// What an image offers under a name.
extension ELFImage {
  /// Why a symbol cannot be the one entry into the library; nil where it can.
  ///
  /// It has to be defined here, once, as a function or data that other images find and that no other image can take the
  /// place of. Asking the dynamic linker would not do: it also finds what needed libraries have.
  package func objection(toEntry name: String) -> String? {
    let all = symbols.filter { $0.nameBytes.elementsEqual(name.utf8) && $0.binding != .local }
    let defined = all.filter(\.isDefined)
    guard let symbol = defined.first else {
      return all.isEmpty ? "no such symbol" : "a symbol that it needs from elsewhere"
    }
    guard defined.count == 1 else { return "\(defined.count) symbols" }
    guard symbol.binding == .global else { return symbol.binding == .unique ? "a unique symbol" : "a weak symbol" }
    guard symbol.isVisible else { return "a hidden symbol" }
    guard !symbol.isAbsolute, let load = memory.load(at: symbol.value) else {
      return "a symbol outside of the library"
    }
    switch symbol.kind {
    case .object: return nil
    case .function: return load.isExecutable ? nil : "a function that is no code"
    case .indirectFunction: return "a function that code has to choose (IFUNC)"
    default: return "a symbol that is neither function nor data"
    }
  }

  /// The names of symbols that it exports without need: where the host has one of the same name, the library's own code gets
  /// that one. Swift protects what it exports, and prefixes it with the name of its Swift module.
  ///
  /// - Parameter entry: the one that is exported on purpose.
  /// - Returns: the first few names, for a message; nil when the library exports nothing else.
  package func interposable(besides entry: String) -> String? {
    guard !isSymbolic else { return nil }
    let found = symbols.filter { symbol in
      symbol.isInterposable && !symbol.nameBytes.elementsEqual(entry.utf8)
        && !symbol.nameBytes.starts(with: "$s".utf8)
        && (symbol.kind == .function || symbol.kind == .object || symbol.kind == .indirectFunction)
        && !Self.linkerSymbols.contains { symbol.nameBytes.elementsEqual($0.utf8) }
    }
    return found.isEmpty ? nil : Self.some(found)
  }

  /// What start files and linkers define in each library.
  private static let linkerSymbols = ["_init", "_fini", "_edata", "_end", "__bss_start", "_DYNAMIC"]
}
