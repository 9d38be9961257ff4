internal import SignetBase
internal import SignetCrypto

extension ModuleBinary {
  /// The principal has to be defined in the main library, once, as a function or data that other images find and that no
  /// other image can take the place of. Asking the dynamic linker would not do: it also finds what needed libraries have.
  func principalFaults() -> [SignetError] {
    let all = main.symbols.filter { $0.nameBytes.elementsEqual(principal.utf8) && $0.binding != .local }
    let defined = all.filter(\.isDefined)
    guard let symbol = defined.first else {
      return [wrongPrincipal(all.isEmpty ? "no such symbol" : "a symbol that it needs from elsewhere")]
    }
    guard defined.count == 1 else { return [wrongPrincipal("\(defined.count) symbols")] }
    guard symbol.binding == .global else {
      return [wrongPrincipal(symbol.binding == .unique ? "a unique symbol" : "a weak symbol")]
    }
    guard symbol.isVisible else { return [wrongPrincipal("a hidden symbol")] }
    guard !symbol.isAbsolute, let load = main.memory.load(at: symbol.value) else {
      return [wrongPrincipal("a symbol outside of the library")]
    }
    switch symbol.kind {
    case .object: return []
    case .function: return load.isExecutable ? [] : [wrongPrincipal("a function that is no code")]
    case .indirectFunction: return [wrongPrincipal("a function that code has to choose (IFUNC)")]
    default: return [wrongPrincipal("a symbol that is neither function nor data")]
    }
  }

  private func wrongPrincipal(_ found: String) -> SignetError {
    main.fault(
      .elfPrincipal, "does not define the principal \(principal)",
      expected: "a global function, or data, of the library's own", found: found,
      hint: "export it: `@c(\(principal)) public func` in Swift; in C, with default visibility")
  }

  /// Symbols that the main library exports without need: where the host has one of the same name, the library's own code
  /// gets that one. Swift protects what it exports, and prefixes it with the name of its Swift module.
  func interposable() -> [SignetError] {
    guard !main.isSymbolic else { return [] }
    let symbols = main.symbols.filter { symbol in
      symbol.isInterposable && !symbol.nameBytes.elementsEqual(principal.utf8)
        && !symbol.nameBytes.starts(with: "$s".utf8)
        && (symbol.kind == .function || symbol.kind == .object || symbol.kind == .indirectFunction)
        && !Self.linkerSymbols.contains { symbol.nameBytes.elementsEqual($0.utf8) }
    }
    guard !symbols.isEmpty else { return [] }
    return [
      main.fault(
        .elfInterposableSymbols, "exports symbols in whose place it may get its host's",
        found: ELFImage.some(symbols), hint: "compile C and C++ with -fvisibility=hidden, the principal excepted")
    ]
  }

  /// What start files and linkers define in each library.
  private static let linkerSymbols = ["_init", "_fini", "_edata", "_end", "__bss_start", "_DYNAMIC"]
}
