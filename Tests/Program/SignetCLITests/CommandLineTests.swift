import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import SignetCLI
@testable import SignetTools

/// What command lines come to, for every command there is: a new one is covered by being in the tree.
struct CommandLineTests {
  /// Names of files that read like requests which end with status 0, or with something before it.
  static let hostile = [
    "--help", "-h", "--help-hidden", "-help", "-hello.zip", "--version", "--generate-completion-script",
    "--generate-completion-script=bash", "--experimental-dump-help", "---completion",
  ]

  /// The text that is shown with status 0; nil for any other outcome.
  private static func shown(_ arguments: [String]) -> String? {
    if case .show(let text) = CommandLinePlan(arguments, of: SignetTools.tree) { text } else { nil }
  }

  /// The text that is told with status 64; nil for any other outcome.
  private static func refused(_ arguments: [String]) -> String? {
    if case .refuse(let text) = CommandLinePlan(arguments, of: SignetTools.tree) { text } else { nil }
  }

  @Test("every option is used by a script, another test of the command line, or the guides")
  func options() throws {
    var texts = ""
    for folder in ["Tests/Program/SignetCLITests", "Tests/Interop", "docs/guides"] {
      let files = try #require(FileManager.default.enumerator(atPath: "\(Repository.root)/\(folder)"))
      for case let file as String in files {
        texts += (try? String(contentsOfFile: "\(Repository.root)/\(folder)/\(file)", encoding: .utf8)) ?? ""
      }
    }
    let words = Set(texts.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-")) }.map(String.init))
    let dump = try #require(Self.shown(["--experimental-dump-help"]))
    var names: Set<String> = []
    func collect(_ value: Any) {
      if let list = value as? [Any] { list.forEach(collect) }
      guard let object = value as? [String: Any] else { return }
      if object["kind"] as? String == "long", let name = object["name"] as? String { names.insert("--" + name) }
      object.values.forEach(collect)
    }
    collect(try JSONSerialization.jsonObject(with: Data(dump.utf8)))
    #expect(names.count > 100)
    #expect(names.subtracting(words).sorted() == [])
  }

  @Test("every command has a name, and help by its words and one flag, or by the word help", .slow)
  func help() throws {
    #expect(SignetTools.tree.paths.count >= 25)
    for (number, words) in SignetTools.tree.paths.enumerated() {
      let requests = [words + ["--help"], words + ["-h"], ["help"] + words]
      for arguments in Extent.sample(of: requests, oneOf: 3, from: number) {
        #expect(Self.shown(arguments)?.contains("USAGE: signet") == true, "\(arguments)")
      }
    }
    for words in Extent.sample(of: SignetTools.tree.paths, oneOf: 4) {
      #expect(Self.shown(words + ["--version"]) == "0.1.0", "\(words)")
    }
    for shell in ["bash", "zsh", "fish"] {
      #expect(Self.shown(["--generate-completion-script", shell])?.contains("signet") == true)
      #expect(Self.shown(["--generate-completion-script=\(shell)"])?.contains("signet") == true)
    }
    #expect(Self.shown(["--experimental-dump-help"])?.contains("serializationVersion") == true)
    // The manual pages are made of it.
    let dump = try #require(Self.shown(["--experimental-dump-help"]))
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(dump.utf8)) }
  }

  @Test(
    "a request for help among other arguments of any command is wrong usage, and its name is told", .slow,
    arguments: hostile)
  func hostileName(name: String) {
    // Each command has one or two of the names, and each name some of the commands.
    let first = Self.hostile.firstIndex(of: name) ?? 0
    for words in Extent.sample(of: SignetTools.tree.paths, oneOf: 8, from: first) {
      // As a pattern of the shell would put them there, around names of commands and of other files.
      for arguments in [
        words + ["--key=k.pub", name], words + [name, "a.zip"], words + ["-plugin.zip", name],
        words + [name, "help", "verify"], words + ["-q", name], words + [name, name],
      ] {
        let text = Self.refused(arguments)
        #expect(text?.contains("error: ") == true, "\(arguments): \(text ?? "not refused")")
        // What else is wrong may be found first, but for what is looked for before everything is read.
        if name.hasPrefix("--") {
          #expect(text?.contains(name) == true, "\(arguments): \(text ?? "not refused")")
          #expect(text?.contains("./\(name)") == true, "\(arguments): \(text ?? "not refused")")
        }
      }
    }
  }

  @Test("the word help goes with names of commands alone")
  func helpWord() {
    for arguments in [
      ["help", "verify", "a.zip"], ["help", "a.zip"], ["help", "verify", "--key=k"], ["help", "trust", "verify"],
      ["help", "--version", "verify"],
    ] {
      #expect(Self.refused(arguments) != nil, "\(arguments)")
    }
    #expect(Self.refused(["help", "verify", "a.zip"])?.contains("a.zip") == true)
  }

  @Test("behind -- every name is that of a file")
  func terminator() throws {
    for name in Self.hostile + ["help", "verify"] {
      guard case .execute(let command) = CommandLinePlan(["verify", "--key", "k", "--", name], of: SignetTools.tree)
      else {
        Issue.record("\(name) is not taken for a file")
        continue
      }
      #expect((command as? any ManyFiles)?.file == [name])
    }
  }

  @Test("commands that only have others show them, with status 64")
  func groups() {
    for words in SignetTools.tree.paths where !words.isEmpty {
      guard let group = SignetTools.tree.command(at: words)?.configuration, !group.subcommands.isEmpty,
        group.defaultSubcommand == nil
      else { continue }
      #expect(Self.refused(words)?.contains("SUBCOMMANDS:") == true, "\(words)")
    }
  }

  @Test("every command stands in exactly one group, if its command has groups")
  func grouped() throws {
    #expect(SignetTools.tree.root.configuration.groupedSubcommands.count == 5)
    for words in SignetTools.tree.paths {
      let configuration = try #require(SignetTools.tree.command(at: words)).configuration
      guard !configuration.groupedSubcommands.isEmpty else { continue }
      #expect(configuration.ungroupedSubcommands.isEmpty, "\(words)")
      let names = configuration.subcommands.map { $0.configuration.commandName }
      #expect(names.count == Set(names).count, "\(words)")
      #expect(configuration.groupedSubcommands.allSatisfy { !$0.subcommands.isEmpty }, "\(words)")
    }
  }

  @Test(
    "a command that was renamed is found by its old name, too",
    arguments: [("package", "release"), ("module", "store")])
  func oldNames(old: String, new: String) throws {
    let command = try #require(SignetTools.tree.command(at: [new]))
    #expect(SignetTools.tree.command(at: [old]) == command)
    #expect(command.configuration.aliases == [old])
    #expect(Self.shown([old, "--help"]) == Self.shown([new, "--help"]))
    #expect(Self.shown(["help", old]) == Self.shown([new, "--help"]))
    for child in command.configuration.subcommands {
      let name = try #require(child.configuration.commandName)
      #expect(SignetTools.tree.command(at: [old, name]) == child)
      #expect(Self.shown([old, name, "--help"]) == Self.shown([new, name, "--help"]))
    }
  }

  @Test("no two commands of a list share a name, old ones included")
  func distinctNames() throws {
    for words in SignetTools.tree.paths {
      let children = try #require(SignetTools.tree.command(at: words)).configuration.subcommands
      let names = children.flatMap { [$0.configuration.commandName ?? ""] + $0.configuration.aliases }
      #expect(names.count == Set(names).count, "\(words)")
    }
  }

  @Test("without a command, four lines show what most people need")
  func firstSteps() throws {
    let lines = try #require(Self.refused([])).components(separatedBy: "\n")
    #expect(
      lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "signet keygen", "signet sign", "signet verify", "signet --help",
      ])
    for line in lines {
      #expect(line.utf8.count <= 80)
      // The command ends where the columns of its description begin.
      let words = try #require(line.components(separatedBy: "  ").first).split(separator: " ").dropFirst()
      if case .refuse(let why) = CommandLinePlan(words.map(String.init), of: SignetTools.tree) {
        Issue.record("\(line)\n\(why)")
      }
    }
  }

  @Test("the list of a command's subcommands has one line for each, in 80 columns")
  func abstracts() throws {
    for words in SignetTools.tree.paths {
      let command = try #require(SignetTools.tree.command(at: words))
      let help = SignetTools.tree.root.helpMessage(for: command, columns: 80).components(separatedBy: "\n")
      for child in command.configuration.subcommands {
        let abstract = child.configuration.abstract
        #expect(!abstract.isEmpty && abstract.utf8.count <= 54, "\(words): \(abstract)")
        let name = try #require(child.configuration.commandName)
        let lines = help.filter { $0.hasPrefix("  \(name) ") || $0.hasPrefix("  \(name), ") }
        #expect(lines.count == 1 && lines[0].hasSuffix("  " + abstract), "\(words): \(lines)")
      }
    }
  }

  @Test("the options of a command are those that the parser knows")
  func knownOptions() throws {
    let keygen = try #require(SignetTools.tree.command(at: ["keygen"]))
    #expect(
      CommandTree.options(of: keygen) == [
        "--out", "--type", "--passphrase-file", "--passphrase-fd", "--no-passphrase", "--quiet", "-q", "--json",
        "--version", "--help", "-h",
      ])
    let trust = try #require(SignetTools.tree.command(at: ["trust"]))
    #expect(CommandTree.options(of: trust) == ["--version", "--help", "-h"])
    let push = try #require(SignetTools.tree.command(at: ["repo", "push"]))
    #expect(CommandTree.repeatableOptions(of: push) == ["--key", "--online-key"])
  }

  @Test("all commands execute or have others: none does something of its own without saying how it ended")
  func executables() {
    for words in SignetTools.tree.paths {
      let command = SignetTools.tree.command(at: words)
      #expect(
        command is any SignetSubcommand.Type || command?.configuration.subcommands.isEmpty == false, "\(words)")
    }
  }

  @Test("files come out as they went in, wherever options stand among them")
  func operands() {
    let lines = [
      (["verify", "a", "b", "c", "--key", "k", "d", "e", "f"], ["a", "b", "c", "d", "e", "f"]),
      (["verify", "--key=k", "a", "b"], ["a", "b"]),
      (["verify", "--key", "k", "a", "-q", "b", "c", "--", "--help", "d"], ["a", "b", "c", "--help", "d"]),
      (["verify", "--anchor", "k", "--identity", "dns:a", "--identity", "dns:b", "x", "y"], ["x", "y"]),
      (["verify", "--key", "k", "--", "-q"], ["-q"]),
      (["digest", "verify", "help", "digest"], ["verify", "help", "digest"]),
      (["sign", "a", "a", "b", "--signer", "s", "a", "--key", "k"], ["a", "a", "b", "a"]),
    ]
    for (arguments, files) in lines {
      guard case .execute(let command) = CommandLinePlan(arguments, of: SignetTools.tree) else {
        Issue.record("\(arguments) are refused")
        continue
      }
      #expect((command as? any ManyFiles)?.file == files, "\(arguments)")
    }
    #expect(Self.refused(["verify", "a", "\u{0}0", "--key", "k"])?.contains("NUL") == true)
    // What goes with one file only is refused with several, wherever they stand.
    for rest in [["a", "b"], ["a", "b", "c"], ["a", "-q", "b"], ["a", "--", "b"], ["--", "a", "b", "c", "d"]] {
      #expect(Self.refused(["verify", "--key", "k", "--name", "n"] + rest)?.contains("--name") == true, "\(rest)")
    }
  }

  @Test("the parser gets no more arguments for 16,000 files than for three")
  func manyOperands() {
    let files = (1...16_000).map { "file\($0)" }
    for arguments in [
      ["verify", "--key", "k"] + files, ["digest"] + files + ["-q"], ["sign", "--key", "k", "--"] + files,
    ] {
      #expect(OperandList(arguments, of: SignetTools.tree).arguments.count <= 7)
      guard case .execute(let command) = CommandLinePlan(arguments, of: SignetTools.tree) else {
        Issue.record("\(arguments[0]) is refused")
        continue
      }
      #expect((command as? any ManyFiles)?.file == files)
    }
  }
}
