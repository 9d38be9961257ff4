package import SignetBase
internal import SignetCrypto

/// What a loader refuses in a library by itself, and what is unwise in it (section 5 of the design; docs/format.md,
/// section 13).
extension ELFImage {
  /// All reasons to refuse the library, whatever it belongs to.
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
        faults.append(fault(.elfRepeatedTag, "has a dynamic tag twice that may stand once", found: name))
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
      faults.append(fault(.elfDynamicTag, "has flags that are not known", found: hex("DT_FLAGS", other)))
    }
    if flags1.contains(.positionIndependentProgram) {
      faults.append(
        fault(
          .elfType, "is a program, and no shared library", found: "DF_1_PIE", hint: "link it with -shared"))
    }
    let other1 = flags1.subtracting(.accepted).subtracting(.positionIndependentProgram)
    if !other1.isEmpty {
      let meaning = ELFFlags1.meanings.first { other1.contains($0.flag) }?.meaning ?? "has flags that are not known"
      faults.append(fault(.elfDynamicTag, meaning, found: hex("DT_FLAGS_1", other1.rawValue)))
    }
    return faults
  }

  private func hex(_ name: String, _ value: UInt64) -> String { "\(name) 0x\(String(value, radix: 16))" }

  /// With a slash, a name would be a path; with a dollar sign, it would be expanded (ld.so(8)). Both leave behind what was
  /// verified.
  private func nameFaults() -> [SignetError] {
    needed.filter { !ModuleText.library.allows($0) }.map { name in
      fault(
        .elfNeededName, "needs a library by something else than its name", expected: ModuleText.library.meaning,
        found: name, hint: "give that library a name of its own with \(Self.sonameFlag) NAME")
    }
  }

  private func segmentFaults() -> [SignetError] {
    var faults: [SignetError] = []
    let stack = segments.first { $0.kind == .stack }
    // Where the header is absent, the dynamic linker assumes the worst, and makes the stacks of all threads executable.
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
  /// The flags that give a library its name.
  static let sonameFlag = "-Xlinker -soname -Xlinker"

  func fault(
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
