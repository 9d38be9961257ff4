internal import SignetBase
internal import SignetCrypto

/// What a loader refuses since the dynamic linker would only find out when libraries opened before have run.
extension ELFImage {
  func relocationFaults() -> [SignetError] {
    var faults = relocations.faults
    if flags.contains(.staticThreadLocal), !faults.contains(where: { $0.code == .elfStaticTLS }) {
      faults.append(.staticThreadLocal(path, found: "DF_STATIC_TLS"))
    }
    // glibc asks for the version since it has taken the short form, so that an older one refuses what it would not relocate.
    if hasShortRelocations, needed.contains(where: { $0.utf8.starts(with: "libc.so.".utf8) }),
      !versions.needs.contains(where: { $0.name.isExactly(Self.shortRelocationsVersion) })
    {
      faults.append(
        fault(
          .elfRelocation, "has relocations in the short form, and does not say so to glibc",
          expected: Self.shortRelocationsVersion, found: "none",
          hint: "link it with -Xlinker -z -Xlinker pack-relative-relocs, or without the short form"))
    }
    return faults
  }

  /// The version of glibc that takes relocations in the short form.
  package static let shortRelocationsVersion = "GLIBC_ABI_DT_RELR"

  /// Symbols that the dynamic linker does not look for, or does not find, as their tables have them.
  func symbolFaults() -> [SignetError] {
    var faults: [SignetError] = []
    var known: Set<String> = []
    for number in symbols.indices {
      guard let message = objection(to: symbols[number]), known.insert(message).inserted else { continue }
      faults.append(
        fault(.elfSymbol, message, found: symbols[number].name, hint: "build the library anew"))
    }
    return faults
  }

  private func objection(to symbol: ELFSymbol) -> String? {
    guard let binding = symbol.binding else { return "has a symbol of a binding that is not known" }
    guard let kind = symbol.kind else { return "has a symbol of a type that is not known" }
    guard binding != .local else { return nil }
    guard kind.isFound else { return "has a symbol for others, of a type that is for itself alone" }
    guard symbol.isDefined else { return nil }
    if kind == .threadLocal {
      let size = segments.first { $0.kind == .threadLocal }?.memorySize ?? 0
      return symbol.value <= size && size > 0 ? nil : "has a variable of threads outside of what threads have"
    }
    guard kind != .indirectFunction || memory.isCode(symbol.value) else {
      return "leaves a symbol to a function which is no code"
    }
    return nil
  }

  /// What not every system of the platform has: glibc refuses the library where it is not there.
  func demandFaults() -> [SignetError] {
    guard let demand = notes.demands.first else { return [] }
    return [
      fault(
        .elfArchitecture, "demands more than each system of its platform has", expected: "\(platform)", found: demand,
        hint: "build it without that demand, and ask for what it needs at run time")
    ]
  }
}
