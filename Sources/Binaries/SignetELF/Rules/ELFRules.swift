package import SignetBase
internal import SignetNames

/// Faults of a single library that a loader refuses, and advice about unwise features (docs/format.md, section 13).
extension ELFImage {
  /// All reasons to refuse the library, whatever module it belongs to.
  package func faults() -> [SignetError] {
    tagFaults() + flagFaults() + nameFaults() + segmentFaults() + buildIDFaults() + relocationFaults()
      + symbolFaults()
      + demandFaults() + initializers.faults
  }

  private func tagFaults() -> [SignetError] {
    var faults: [SignetError] = []
    var known: Set<UInt64> = []
    for entry in dynamic.entries where entry.tag != ELFDynamicTag.needed.rawValue {
      let name = ELFDynamicTag.name(of: entry.tag, on: machine)
      guard known.insert(entry.tag).inserted else {
        faults.append(fault(.elfRepeatedTag, "has a dynamic tag twice that is allowed once", found: name))
        continue
      }
      if let reason = ELFDynamicTag.refusal(of: entry.tag, on: machine) {
        let hint = entry.tag == ELFDynamicTag.textRelocations.rawValue ? Self.positionHint : nil
        faults.append(fault(.elfDynamicTag, reason, found: name, hint: hint))
      }
    }
    return faults
  }

  private func flagFaults() -> [SignetError] {
    var faults: [SignetError] = []
    if flags.contains(.textRelocations), dynamic[.textRelocations] == nil {
      faults.append(
        fault(.elfDynamicTag, ELFDynamicTag.relocatedCode, found: "DF_TEXTREL", hint: Self.positionHint))
    }
    let other = flags.subtracting(.accepted).subtracting([.textRelocations, .staticThreadLocal]).rawValue
    if other != 0 {
      faults.append(fault(.elfDynamicTag, "has unknown flags", found: hex("DT_FLAGS", other)))
    }
    if flags1.contains(.positionIndependentProgram) {
      faults.append(
        fault(
          .elfType, "is a program, not a shared library", found: "DF_1_PIE", hint: "link it with -shared"))
    }
    let other1 = flags1.subtracting(.accepted).subtracting(.positionIndependentProgram)
    if !other1.isEmpty {
      let meaning = ELFFlags1.meanings.first { other1.contains($0.flag) }?.meaning ?? "has unknown flags"
      faults.append(fault(.elfDynamicTag, meaning, found: hex("DT_FLAGS_1", other1.rawValue)))
    }
    return faults
  }

  private func hex(_ name: String, _ value: UInt64) -> String { "\(name) 0x\(String(value, radix: 16))" }

  /// A name with a slash would be a path, and one with a dollar sign would be expanded (ld.so(8)). Both lead away
  /// from the verified files.
  private func nameFaults() -> [SignetError] {
    needed.filter { !LibraryName.allows($0) }.map { name in
      fault(
        .elfNeededName, "needs a library by another text than its name", expected: LibraryName.meaning,
        found: name, hint: "give that library a name of its own with \(Self.sonameFlag) NAME")
    }
  }

  private func segmentFaults() -> [SignetError] {
    var faults: [SignetError] = []
    let stack = segments.first { $0.kind == .stack }
    // If the header is absent, the dynamic linker assumes the worst, and makes the stacks of all threads executable.
    if stack?.isExecutable ?? true {
      faults.append(
        fault(
          .elfExecutableStack, "makes the stack of its host executable", expected: "PT_GNU_STACK, not executable",
          found: stack == nil ? "no PT_GNU_STACK" : "an executable one",
          hint: "link it with -Xlinker -z -Xlinker noexecstack"
        ))
    }
    for load in memory.loads where load.isWritable && load.isExecutable {
      faults.append(
        fault(
          .elfWritableExecutable, "has a segment that can be written and executed", expected: "one or the other",
          found: "address 0x\(String(load.address, radix: 16))"))
    }
    return faults
  }

  private func buildIDFaults() -> [SignetError] {
    guard buildID == nil else { return [] }
    return [
      fault(
        .elfBuildID, "has no build-id to tell it from other builds by", expected: "one",
        found: notes.buildIDs.isEmpty ? "none" : "\(notes.buildIDs.count)", hint: "link it with -Xlinker --build-id")
    ]
  }

  private static let positionHint = "compile all of it with -fPIC"
  /// The linker flags that give a library its name.
  package static let sonameFlag = "-Xlinker -soname -Xlinker"

  package func fault(
    _ code: SignetError.Code, _ message: String, expected: String? = nil, found: String? = nil, hint: String? = nil
  ) -> SignetError {
    SignetError(code, path, message, expected: expected, found: found, hint: hint)
  }
}

extension ELFFlags1 {
  fileprivate static let meanings: [(flag: ELFFlags1, meaning: String)] = [
    (.noOpen, "forbids to be loaded by a running program"),
    (.initializeFirst, "wants its initializers run before those of its host"),
    (.interpose, "wants its symbols taken for everybody's"),
  ]
}

/// Faults that the dynamic linker would find only after the code of previously opened libraries has run.
extension ELFImage {
  func relocationFaults() -> [SignetError] {
    var faults = relocations.faults
    if flags.contains(.staticThreadLocal), !faults.contains(where: { $0.code == .elfStaticTLS }) {
      faults.append(.staticThreadLocal(path, found: "DF_STATIC_TLS"))
    }
    // glibc has required this version since it supports the short form, so that older versions refuse a library that
    // they would not relocate.
    if hasShortRelocations, needed.contains(where: { $0.utf8.starts(with: "libc.so.".utf8) }),
      !versions.needs.contains(where: { $0.name.isExactly(Self.shortRelocationsVersion) })
    {
      faults.append(
        fault(
          .elfRelocation, "has relocations in the short form, but not the version that tells glibc so",
          expected: Self.shortRelocationsVersion, found: "none",
          hint: "link it with -Xlinker -z -Xlinker pack-relative-relocs, or without the short form"))
    }
    return faults
  }

  /// The version that marks glibc's support for relocations in the short form.
  package static let shortRelocationsVersion = "GLIBC_ABI_DT_RELR"

  /// Symbols that the dynamic linker does not look up, or cannot find, as their tables describe them.
  func symbolFaults() -> [SignetError] {
    var faults: [SignetError] = []
    var known: Set<String> = []
    for number in symbols.indices {
      guard let message = objection(to: symbols[number]), known.insert(message).inserted else { continue }
      faults.append(
        fault(.elfSymbol, message, found: symbols[number].name, hint: "rebuild the library"))
    }
    return faults
  }

  private func objection(to symbol: ELFSymbol) -> String? {
    guard let binding = symbol.binding else { return "has a symbol of a binding that is not known" }
    guard let kind = symbol.kind else { return "has a symbol of a type that is not known" }
    guard binding != .local else { return nil }
    guard kind.isFound else { return "has a symbol for others, of a type that is for itself alone" }
    guard symbol.isDefined else {
      // The dynamic linker does not look for such a symbol elsewhere: it takes the library's own first byte for it.
      guard symbol.isVisibleToAll else { return "needs a symbol that no other library may define" }
      return symbol.value == 0 ? nil : "has a place for a symbol that it does not define"
    }
    if kind == .threadLocal {
      let size = segments.first { $0.kind == .threadLocal }?.memorySize ?? 0
      return symbol.value <= size && size > 0 ? nil : "has a variable of threads outside of what threads have"
    }
    guard kind != .indirectFunction || memory.isCode(symbol.value) else {
      return "leaves a symbol to a function which is no code"
    }
    return nil
  }

  /// Demands that not every system of the platform meets; glibc refuses the library on systems that do not meet them.
  func demandFaults() -> [SignetError] {
    guard let demand = notes.demands.first else { return [] }
    return [
      fault(
        .elfArchitecture, "demands more than each system of its platform has", expected: machine.platform,
        found: demand,
        hint: "build it without that demand, and ask for what it needs at run time")
    ]
  }
}

/// Features of a library that are unwise (docs/format.md, section 13).
extension ELFImage {
  /// Features of the library that are legal but unwise.
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
          .elfUniqueSymbols, "has unique symbols, and the process keeps only the first definition of each",
          found: Self.some(unique), hint: "compile it with -fno-gnu-unique or -fvisibility=hidden"))
    }
    return advice
  }

  /// The first names of a list of symbols.
  static func some(_ symbols: [ELFSymbol]) -> String {
    let shown = symbols.prefix(3).map(\.name).joined(separator: ", ")
    return symbols.count > 3 ? "\(shown) and \(symbols.count - 3) more" : shown
  }
}

/// The symbols that an image offers by name.
extension ELFImage {
  /// Why a symbol cannot be the only entry into the library; nil if it can.
  ///
  /// It must be defined here exactly once, as a function or data that other images can find and that no other image
  /// can replace. It is not enough to ask the dynamic linker, which also finds the symbols of needed libraries.
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

  /// The names of symbols that the library exports without need.
  ///
  /// If the host has a symbol of the same name, the library's own code gets that one. Swift protects the symbols that
  /// it exports, and prefixes them with the name of the Swift module.
  ///
  /// - Parameter entry: the symbol that is exported on purpose.
  /// - Returns: the first few names, for a message; nil if the library exports nothing else.
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

  /// The symbols that start files and linkers define in every library.
  private static let linkerSymbols = ["_init", "_fini", "_edata", "_end", "__bss_start", "_DYNAMIC"]
}
