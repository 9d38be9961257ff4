@testable import ModuleSpec
@testable import SignetNames

/// Specs of modules, and their patterns.
enum FedSpecs {
  /// What is read has one canonical text, which reads as the same spec.
  static func feed(_ bytes: [UInt8]) {
    guard let spec = try? ModuleSpec(json: bytes) else { return }
    let text = spec.canonicalBytes()
    guard let again = try? ModuleSpec(json: text) else { return require(false, "a canonical text cannot be read") }
    require(again == spec && again.canonicalBytes() == text, "a spec changed")
    guard let linted = try? LintedSpec(spec, fileName: "a", files: ["a", "b/c.h"], module: .missing) else { return }
    require(SpecLint.check(linted).allSatisfy { !$0.message.isEmpty }, "a finding says nothing")
  }

  /// A pattern, then paths, each on a line. What covers a path is decided as a simple search decides it.
  static func feedPattern(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let pattern = lines.first.flatMap(SourcePattern.init) else { return }
    require(SourcePattern(pattern.description) == pattern, "a pattern changed")
    for path in lines.dropFirst().prefix(8) where path.utf8.count <= 64 && pattern.description.utf8.count <= 64 {
      let isCovered = pattern.covers(path)
      guard let names = SourcePattern.names(of: path), names.count <= 8 else {
        require(!isCovered || SourcePattern.names(of: path) != nil, "a pattern covers what is no path")
        continue
      }
      let expected = alternatives(Array(pattern.description.unicodeScalars)).contains { text in
        covers(text.split(separator: "/", omittingEmptySubsequences: false).map { Array($0) }[...], names[...])
      }
      require(isCovered == expected, "a path is covered, and should not be, or the reverse")
    }
  }

  private static func alternatives(_ text: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
    guard let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}"), open < close else {
      return [text]
    }
    let choices = text[(open + 1)..<close].split(separator: ",", omittingEmptySubsequences: false)
    return choices.flatMap { alternatives(Array(text[..<open]) + $0 + text[(close + 1)...]) }
  }

  private static func covers(_ pattern: ArraySlice<[Unicode.Scalar]>, _ path: ArraySlice<[Unicode.Scalar]>) -> Bool {
    guard let first = pattern.first else { return path.isEmpty }
    if first == ["*", "*"] {
      return covers(pattern.dropFirst(), path) || !path.isEmpty && covers(pattern, path.dropFirst())
    }
    guard let name = path.first else { return false }
    var reached: Set<Int> = [0]
    for scalar in first {
      var next: Set<Int> = []
      for place in reached {
        if scalar == "*" {
          next.formUnion(place...name.count)
        } else if place < name.count, scalar == "?" || scalar == name[place] {
          next.insert(place + 1)
        }
      }
      reached = next
    }
    return reached.contains(name.count) && covers(pattern.dropFirst(), path.dropFirst())
  }
}
