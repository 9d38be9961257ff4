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

  /// The text with one more line that asks for a module: behind the last such line, with the same space before it.
  /// Everything else stays as it is.
  ///
  /// - Parameters:
  ///   - text: the text from which this value was read.
  ///   - module: the module.
  ///   - versions: the versions that the line accepts.
  ///   - target: the target that the line is for, which is added if it is missing; nil for all of them.
  /// - Throws: `modfile.duplicate` if a line there names the module already.
  public func text(
    _ text: [UInt8], adding module: ModuleIdentifier, _ versions: VersionRequirement, to target: ModfileName? = nil
  ) throws(SignetError) -> [UInt8] {
    let group = target.map { name in targets.first { $0.name == name }?.modules ?? [] } ?? modules
    if let known = group.first(where: { $0.identifier == module }) {
      throw SignetError(
        .modfileDuplicate, "Modfile:\(known.line)", "names \(module) already",
        expected: "a module that no line names",
        hint: "change its line; for a newer release: signet update \(module)")
    }
    let request = RequestedModule(identifier: module, choice: .versions(versions), lines: 1...1)
    let line = String(Self.line(request).dropLast())
    var lines = ModfileLines(text)
    if let last = group.map(\.lines).max(by: { $0.upperBound < $1.upperBound }) {
      lines.insert([lines.indentation(of: last.lowerBound) + Array(line.utf8)], after: last.upperBound)
    } else if let target {
      if let begin = layout.targets[target] {
        lines.insert([lines.indentation(of: begin) + Array("  \(line)".utf8)], after: begin)
      } else {
        lines.insertBlock(["target '\(target)' do", "  \(line)", "end"], after: lines.count)
      }
    } else {
      lines.insertBlock([line], after: layout.introduction == 0 ? lines.count : layout.introduction)
    }
    return lines.bytes
  }

  /// The text in which a source may serve one more module. Everything else stays as it is.
  ///
  /// - Throws: `modfile.pattern` for a source that has no patterns in the text.
  public func text(
    _ text: [UInt8], letting source: ModfileName, serve module: ModuleIdentifier
  ) throws(SignetError) -> [UInt8] {
    guard let place = layout.patterns[source] else {
      throw SignetError(
        .modfilePattern, "source \(source)", "names no modules, so one more cannot be added to them",
        expected: "modules: and patterns", hint: "write modules: and all that the source may serve")
    }
    var lines = ModfileLines(text)
    // First what stands last: the other place stays where it is.
    lines.insert(", '\(module)'" + (place.isList ? "" : "]"), at: place.end)
    if !place.isList { lines.insert("[", at: place.start) }
    return lines.bytes
  }

  /// The text with one more source, behind the others. Everything else stays as it is.
  public func text(_ text: [UInt8], adding source: ModuleSource) -> [UInt8] {
    var lines = ModfileLines(text)
    let line = String(Self.line(source).dropLast())
    if layout.introduction > 0 {
      lines.insert([Array(line.utf8)], after: layout.introduction)
    } else {
      lines.insertBlock(
        [line], after: (requests.map(\.line) + layout.targets.values).min().map { $0 - 1 } ?? lines.count)
    }
    return lines.bytes
  }
}

/// The lines of a Modfile, for changes.
private struct ModfileLines {
  private var lines: [[UInt8]]

  init(_ text: [UInt8]) {
    lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    if lines.last == [] { lines.removeLast() }
  }

  var count: Int { lines.count }

  /// The text, each line with its end.
  var bytes: [UInt8] { lines.reduce(into: []) { $0 += $1 + [UInt8(ascii: "\n")] } }

  /// The space before what stands in a line, from 1.
  func indentation(of number: Int) -> [UInt8] { Array(lines[number - 1].prefix { " \t".utf8.contains($0) }) }

  /// Inserts lines.
  mutating func insert(_ new: [[UInt8]], after number: Int) { lines.insert(contentsOf: new, at: number) }

  /// Inserts lines, with an empty one between them and what stands around them.
  mutating func insertBlock(_ new: [String], after number: Int) {
    let isApart = { (line: [UInt8]?) in line?.allSatisfy { " \t".utf8.contains($0) } ?? true }
    insert(
      (isApart(number == 0 ? nil : lines[number - 1]) ? [] : [[]]) + new.map { Array($0.utf8) }
        + (isApart(number < count ? lines[number] : nil) ? [] : [[]]), after: number)
  }

  /// Inserts a text in a line. Columns are counted in Unicode scalars.
  mutating func insert(_ text: String, at place: ModfileText.Place) {
    var scalars = String(decoding: lines[place.line - 1], as: UTF8.self).unicodeScalars
    let index = scalars.index(scalars.startIndex, offsetBy: place.column - 1)
    scalars.insert(contentsOf: text.unicodeScalars, at: index)
    lines[place.line - 1] = Array(String(scalars).utf8)
  }
}
