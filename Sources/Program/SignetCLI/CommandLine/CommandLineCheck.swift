internal import ArgumentParser
internal import SignetBase
internal import SignetCrypto
internal import SignetKeys

/// Checks a command line for faults that the parser accepts.
///
/// If an option is given twice, the parser silently uses the last one; a user who gives two keys believes that both
/// count. It accepts empty arguments, but an unset variable is not a name. It accepts requests for help among other
/// arguments, which would turn a verification into a success.
struct CommandLineCheck {
  /// The commands that there are.
  let tree: CommandTree

  /// - Throws: a usage error that names the argument.
  func check(_ arguments: [String]) throws {
    for argument in arguments {
      // This comes before any message, because messages repeat the arguments that they are about.
      guard !PrivateKeyText.isPresent(in: argument) else {
        throw ValidationError(
          "An argument holds a private key, and others can see command lines. Give its text in SIGNET_KEY, or with --key-fd."
        )
      }
      guard !argument.isEmpty, !(argument.hasPrefix("--") && argument.hasSuffix("=")) else {
        throw ValidationError("An argument is empty.")
      }
      // No process receives such an argument, but a program that calls this one as a library could pass it.
      guard !argument.utf8.contains(0) else { throw ValidationError("An argument has a NUL character in it.") }
    }
    if arguments.first == "help", !request.isOne(arguments) {
      let (command, words) = tree.command(leading: Array(arguments.dropFirst()))
      try checkCommand(arguments.dropFirst(words + 1).first, of: command)
    }
    if let name = request.misplaced(in: arguments) { throw ValidationError(Self.misplaced(name)) }
    if request.isOne(arguments) { return }
    let (command, words) = tree.command(leading: arguments)
    try checkCommand(arguments.dropFirst(words).first, of: command)
    var seen = Set<Substring>()
    for argument in arguments.prefix(while: { $0 != "--" }) where argument.utf8.first == UInt8(ascii: "-") {
      let name = argument.prefix { $0 != "=" }
      // Few options are given twice, so only then it is looked up whether this one may be.
      guard seen.insert(name).inserted || CommandTree.repeatableOptions(of: command).contains(String(name)) else {
        try checkOptions(arguments)
        throw ValidationError("\(name) is given twice.")
      }
    }
  }

  private var request: InformationRequest { InformationRequest(tree: tree) }

  /// Checks that the word after a command with subcommands is the name of one.
  private func checkCommand(_ word: String?, of command: any ParsableCommand.Type) throws {
    let names = CommandTree.names(of: command)
    guard let word, !names.isEmpty, word.utf8.first != UInt8(ascii: "-") else { return }
    let meant = Spelling.synonym(of: word, among: names) ?? Spelling.nearest(word, among: names)
    let advice = meant.map { " Did you mean '\($0)'?" } ?? ""
    throw ValidationError("There is no command '\(word.display)'.\(advice)")
  }

  /// Checks for unknown options, which are reported before the arguments that are missing because of them.
  ///
  /// Use this only for wrong command lines: finding a command's options takes as long as verifying a small file.
  ///
  /// - Throws: a usage error that names the option, and the one that may be meant.
  func checkOptions(_ arguments: [String]) throws {
    let (command, words) = tree.command(leading: arguments)
    guard CommandTree.names(of: command).isEmpty else { return }
    let known = CommandTree.options(of: command)
    let options = arguments.dropFirst(words).prefix { $0 != "--" }.filter {
      $0.utf8.first == UInt8(ascii: "-") && $0.utf8.count > 1
    }
    for argument in options {
      guard !argument.hasPrefix("-----BEGIN ") else {
        throw ValidationError("A key that begins with a dash needs an equals sign: --key=KEY.")
      }
      let name = String(argument.prefix { $0 != "=" })
      guard !known.contains(name), argument.hasPrefix("--") || !known.contains(String(argument.prefix(2))) else {
        continue
      }
      let names = known.filter { $0.hasPrefix("--") == name.hasPrefix("--") && $0.count > 2 }.sorted()
      let advice = Spelling.nearest(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
      throw ValidationError("Unknown option '\(name.display)'.\(advice)")
    }
  }

  /// Why a request for help, or a similar one, is refused.
  static func misplaced(_ argument: String) -> String {
    "Help, version and completion scripts are asked for alone, with names of commands only, and here is "
      + "\(argument.display). \(naming(argument))"
  }

  /// How to name a file whose name reads like something else.
  static func naming(_ argument: String) -> String {
    "Name such a file ./\(argument.display), or put -- before the files: no option follows it."
  }
}
