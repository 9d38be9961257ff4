internal import ArgumentParser

/// Options that stand twice on a command line: the parser would take the last and say nothing, and whoever gives two
/// keys believes that both count.
enum RepeatedOptions {
  /// - Throws: a usage error that names the option.
  static func check(_ arguments: [String]) throws {
    var seen = Set<Substring>()
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.utf8.starts(with: "--".utf8) {
      let name = argument.prefix { $0 != "=" }
      guard seen.insert(name).inserted else { throw ValidationError("\(name) is given twice.") }
    }
  }
}
