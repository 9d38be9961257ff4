package import SignetBase
package import SignetELF
internal import SignetVerify

/// A module's code for one platform: its binary, and the libraries that the module brings.
package struct ModuleBinary: Sendable {
  /// The module.
  package let identifier: ModuleIdentifier
  /// The platform that the code is for.
  package let platform: ModulePlatform
  /// The library that defines the principal.
  package let main: ELFImage
  /// The libraries that the module brings.
  package let libraries: [ELFImage]
  /// The libraries that the module declares it needs from outside.
  package let declared: [String]
  /// The C symbol that the main library defines as its entry.
  package let principal: String
  /// Names that the process has for other libraries, in several sets: a host's own, and those loaded before.
  ///
  /// The names of ``SystemLibraries`` need not be among them.
  package let reserved: [Set<[UInt8]>]

  /// Creates the code from parsed images.
  package init(
    of identifier: ModuleIdentifier, on platform: ModulePlatform, main: ELFImage, libraries: [ELFImage],
    declared: [String], principal: String,
    reserved: [Set<[UInt8]>] = []
  ) {
    self.identifier = identifier
    self.platform = platform
    self.main = main
    self.libraries = libraries
    self.declared = declared
    self.principal = principal
    self.reserved = reserved
  }

  /// All images, the main one first.
  package var images: [ELFImage] { [main] + libraries }

  /// Every reason to refuse the code, and what is unwise in it.
  package func findings() -> BinaryFindings {
    var findings = BinaryFindings()
    for image in images {
      findings.errors += image.faults()
      findings.advice += image.advice()
    }
    findings.errors += neededFaults() + nameFaults() + principalFaults()
    if loadOrder() == nil { findings.errors.append(cycle) }
    findings.advice += unused() + interposable()
    return findings
  }

  /// Refuses needed names that are neither declared nor those of libraries that the module brings.
  ///
  /// The dynamic linker would search the system's folders for any other name.
  private func neededFaults() -> [SignetError] {
    let known = Set((declared + libraries.map(\.fileName)).map { Array($0.utf8) })
    return images.flatMap { image in
      image.needed.filter { !known.contains(Array($0.utf8)) && LibraryName.allows($0) }.map { name in
        image.fault(
          .elfUndeclaredLibrary, "needs a library that the module neither declares nor brings",
          expected: declared.isEmpty ? "none" : declared.joined(separator: ", "), found: name,
          hint: "name it in the binary's `needed`, or bring it among its `libraries`")
      }
    }
  }

  private func principalFaults() -> [SignetError] {
    guard let found = main.objection(toEntry: principal) else { return [] }
    return [
      main.fault(
        .elfPrincipal, "does not define the principal \(principal)",
        expected: "a global function, or data, of the library's own", found: found,
        hint: "export it: `@c(\(principal)) public func` in Swift; in C, with default visibility")
    ]
  }

  /// Refuses names that identify another library, or do not match the file.
  ///
  /// A process knows libraries by name alone, even if each was opened for one caller (RTLD_LOCAL). Opening a second
  /// library with the same name gives the first.
  private func nameFaults() -> [SignetError] {
    var faults: [SignetError] = []
    var taken = Set(declared.map { Array($0.utf8) })
    for image in libraries {
      let name = image.fileName
      if let soname = image.soname, soname.isExactly(name) {
        faults += conflicts(of: image, soname, &taken)
      } else {
        faults.append(
          image.fault(
            .elfSoname, "has another name than its file, by which it is needed", expected: name,
            found: image.soname ?? "none", hint: "link it with \(ELFImage.sonameFlag) \(name)"))
      }
    }
    guard let soname = main.soname else { return faults }
    let found = conflicts(of: main, soname, &taken)
    return faults + (found.isEmpty ? mainNameFaults(soname) : found)
  }

  /// Refuses a name of the binary under which the process might look for another library.
  ///
  /// The binary is opened by its descriptor, and no library needs it, so a name has no use. If the name were a path,
  /// or that of a library that the host opens later, the host would get the module instead. The reason is that the
  /// dynamic linker compares whatever is opened with all DT_SONAMEs. The binary may therefore have no name, or that
  /// of its file, which is named after the module.
  private func mainNameFaults(_ soname: String) -> [SignetError] {
    guard !soname.isExactly(main.fileName) || ModuleFileName.identifier(of: soname, on: platform) != identifier
    else { return [] }
    return [
      main.fault(
        .elfSoname, "has a name under which the process may look for another library",
        expected: "none, or \(ModuleFileName.name(of: identifier, on: platform)) for the file and the library",
        found: soname, hint: "link it without -soname")
    ]
  }

  private func conflicts(of image: ELFImage, _ name: String, _ taken: inout Set<[UInt8]>) -> [SignetError] {
    let bytes = Array(name.utf8)
    let isReserved = reserved.contains { $0.contains(bytes) }
    guard SystemLibraries.contains(name) || isReserved || !taken.insert(bytes).inserted else { return [] }
    return [
      image.fault(
        .elfSonameConflict, "has a name that a process has for another library", expected: "a name of its own",
        found: name, hint: "rename it: link it with \(ELFImage.sonameFlag) NAME")
    ]
  }

  /// The libraries in an order in which each comes after those that it needs; nil if they form a cycle.
  ///
  /// If they are opened in this order, the dynamic linker never searches for one.
  package func loadOrder() -> [ELFImage]? {
    let names = Set(libraries.map { Array($0.fileName.utf8) })
    var waiting = libraries.map { image in (image, names.intersection(image.needed.map { Array($0.utf8) })) }
    var order: [ELFImage] = []
    var opened: Set<[UInt8]> = []
    while !waiting.isEmpty {
      let ready = waiting.filter { $0.1.isSubset(of: opened) }.map(\.0)
      guard !ready.isEmpty else { return nil }
      waiting.removeAll { $0.1.isSubset(of: opened) }
      order += ready
      opened.formUnion(ready.map { Array($0.fileName.utf8) })
    }
    return order
  }

  private var cycle: SignetError {
    main.fault(
      .elfLibraryCycle, "has libraries that depend on each other", expected: "one that can be opened first",
      hint: "link them into one library")
  }

  private func interposable() -> [SignetError] {
    guard let found = main.interposable(besides: principal) else { return [] }
    return [
      main.fault(
        .elfInterposableSymbols, "exports symbols in whose place it may get its host's", found: found,
        hint: "compile C and C++ with -fvisibility=hidden, the principal excepted")
    ]
  }

  private func unused() -> [SignetError] {
    let needed = Set(images.flatMap(\.needed).map { Array($0.utf8) })
    func unused(_ names: [String], _ message: String) -> [SignetError] {
      names.filter { !needed.contains(Array($0.utf8)) }.map { name in
        main.fault(.elfUnusedLibrary, message, found: name, hint: "leave it out of the description")
      }
    }
    return unused(declared, "is said to need a library that nothing in the module needs")
      + unused(libraries.map(\.fileName), "comes with a library that nothing in the module needs")
  }
}

/// The findings about a module's code.
package struct BinaryFindings: Sendable {
  /// The reasons to refuse it.
  package var errors: [SignetError] = []
  /// What is legal but unwise, each with a code of its own.
  package var advice: [SignetError] = []
}
