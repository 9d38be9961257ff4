public import SignetBase
public import SignetNames

extension Modfile {
  /// The text of the Modfile without the lines of some modules, in all targets. Everything else stays as it is.
  ///
  /// - Parameters:
  ///   - text: the text from which this value was read.
  ///   - modules: the modules.
  /// - Throws: `modfile.no-module` for a module that no line names.
  public func text(_ text: [UInt8], without modules: [ModuleIdentifier]) throws(SignetError) -> [UInt8] {
    var removed: Set<Int> = []
    for module in modules {
      let lines = requests.filter { $0.identifier == module }.map(\.lines)
      guard !lines.isEmpty else {
        throw SignetError(
          .modfileNoModule, "\(module)", "is not named in the Modfile", expected: "a module that a line names",
          hint: "name modules of the Modfile")
      }
      for range in lines { removed.formUnion(range) }
    }
    var kept: [UInt8] = []
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !removed.contains(index + 1) {
      kept += line
      if index + 1 < lines.count { kept.append(UInt8(ascii: "\n")) }
    }
    return kept
  }
}
