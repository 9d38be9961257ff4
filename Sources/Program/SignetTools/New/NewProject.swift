internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetSystem

/// What a new plugin and a new host have in common: a name, and a place where they find Signet.
struct NewProject: ParsableArguments {
  /// The maximum length of a name: that of a label of a domain name (RFC 1035, section 2.3.4), as identifiers have
  /// them.
  static let nameLimit = 63

  @Argument(help: "The name: a lower-case letter, then lower-case letters and digits.")
  var name: String

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Where the package finds Signet: a checkout, or the repository's URL. Default: the sources that came with this program.",
      valueName: "path-or-url"),
    completion: .directory)
  var signet: String?

  func validate() throws {
    guard Self.isName(name) else {
      throw ValidationError(
        "\(name) is not a valid name: use a lower-case letter, then at most \(Self.nameLimit - 1) lower-case letters and digits, and none of \(Self.typeWords.joined(separator: ", "))."
      )
    }
    guard !SignetSource.names(by: signet ?? SignetSource.own ?? "").contains(name) else {
      throw ValidationError("\(name) is what packages call Signet itself: choose another name.")
    }
    guard let signet = signet ?? SignetSource.own else {
      throw ValidationError(
        "The sources of Signet are not installed beside this program: use --signet to say where they are."
      )
    }
    guard SignetSource.isPlain(signet) else {
      throw ValidationError(
        "--signet has characters that a Makefile or Package.swift cannot contain: use letters, digits and ./_-+@:~%.")
    }
  }

  /// Whether a text is a name: it is used in an identifier, as a file's name, as a symbol of C and, with a capital, as
  /// a type of Swift.
  private static func isName(_ text: String) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return text.utf8.count <= nameLimit && text.utf8.first.map(letters.contains) == true
      && text.utf8.allSatisfy { letters.contains($0) || digits.contains($0) } && !typeWords.contains(text)
  }

  /// What Swift takes for something else where a type is expected, with a capital.
  private static let typeWords = ["any", "self", "type", "protocol"]

  /// Writes the files into a new directory of the name, and reports that.
  ///
  /// - Parameters:
  ///   - command: the name of the command, for reports.
  ///   - files: returns the files.
  ///   - told: the lines of the result that say what was made and what comes next.
  ///   - identifier: the identifier of the plugin or host, for reports.
  /// - Returns: the command's status.
  /// - Throws: `output.failed` for the standard output; every other failure is told.
  func make(
    _ command: String, _ console: Console, files: (SignetSource, Templates) throws(SignetError) -> [ScaffoldFile],
    told: (_ source: String) -> [String], identifier: ModuleIdentifier
  ) throws(SignetError) -> ExitStatus {
    try CommandRun.making(command, about: name, on: console) { (run) throws(SignetError) in
      // It was there when the arguments were checked.
      guard let signet = signet ?? SignetSource.own else {
        throw SignetError(.commandLine, "--signet", "is missing", expected: "the folder of Signet's sources")
      }
      let place = try SignetSource(signet)
      let files = try files(place, try Templates.own())
      let contents = files.map { (path: $0.path, bytes: Array($0.text.utf8)) }
      try Interruption.held { () throws(SignetError) in
        try NewDirectory.write(contents, links: [place.link].compactMap(\.self), to: name)
      }
      let source = "  signet   \(signet.display)\(self.signet == nil ? "; for another give --signet" : "")"
      try console.result(["\(Console.good()) made  \(name)"] + told(source))
      run.did([Report.made(name, identifier, files.map(\.path))])
    }
  }
}
