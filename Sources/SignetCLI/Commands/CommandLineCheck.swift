internal import ArgumentParser

/// What the parser lets pass. Options that stand twice: it would take the last and say nothing, and whoever gives two
/// keys believes that both count. Empty arguments: an unset variable is no name.
enum CommandLineCheck {
  /// Options that stand once for each of several values.
  private static let lists: Set<Substring> = ["--identity", "--modules", "--signer", "--uris"]

  /// - Throws: a usage error that names the option.
  static func check(_ arguments: [String]) throws {
    guard !arguments.contains(where: { $0.isEmpty || ($0.hasPrefix("--") && $0.hasSuffix("=")) }) else {
      throw ValidationError("An argument is empty.")
    }
    var seen = Set<Substring>()
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.utf8.first == UInt8(ascii: "-") {
      let name = argument.prefix { $0 != "=" }
      guard lists.contains(name) || seen.insert(name).inserted else {
        throw ValidationError("\(name) is given twice.")
      }
    }
  }
}
