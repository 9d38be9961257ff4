import ArgumentParser
import Foundation
import SignetBase
import TestSupport
import Testing

@testable import SignetCLI
@testable import SignetTools

/// Examples are pasted. One that is cut at the end of a line runs without the rest of its options, and does another thing.
@Suite("examples that people paste")
struct ExampleTests {
  private static let columns = 80

  /// The examples of a command's help, as a terminal of 80 columns shows them.
  private static func examples(inHelpOf words: [String]) throws -> [String] {
    let command = try #require(SignetTools.tree.command(at: words))
    let help = SignetTools.tree.root.helpMessage(for: command, columns: columns).components(separatedBy: "\n")
    guard let start = help.firstIndex(where: { ["Example:", "Examples:"].contains($0) }) else { return [] }
    return help[(start + 1)...].prefix { !$0.isEmpty }.map { $0 }
  }

  /// What the shell makes of lines that are pasted: the arguments of each call of signet.
  private static func pasted(_ lines: [String]) throws -> [[String]] {
    let folder = try TemporaryFolder()
    // An example may check the output of signet with another program.
    let functions = "signet() { printf '%s\\0' \"$@\" $'\\1' >&3; }\nsha256sum() { true; }\n"
    let script = "set -e\nexec 3>&1\n" + functions + lines.joined(separator: "\n") + "\n"
    let run = try Program.run("/bin/bash", ["-c", script], in: folder.path)
    #expect(run.status == 0 && run.errors.isEmpty, "\(lines.joined(separator: "\n"))\n\(run.errors)")
    let arguments = run.output.split(separator: "\0").map { filled(String($0)) }
    return arguments.split(separator: "\u{1}").map(Array.init)
  }

  /// An argument with a digest where the example has a placeholder.
  private static func filled(_ argument: String) -> String {
    let digest = String(repeating: "0", count: 64)
    if argument == "HEX" { return digest }
    return argument.replacingOccurrences(of: "sha256:…", with: "sha256:\(digest)")
  }

  /// Checks that lines, pasted, are the calls that they seem to be, and that the program takes each.
  private static func check(_ lines: [String], _ place: String) throws {
    // A variable may come before a command.
    let starts = lines.filter { line in
      line.split(separator: " ").first { !$0.contains("=") || $0.hasPrefix("-") } == "signet"
    }.count
    let calls = try pasted(lines)
    #expect(calls.count == starts, "\(place): \(calls.count) calls of \(starts) lines that begin one")
    for arguments in calls {
      if case .refuse(let why) = CommandLinePlan(arguments, of: SignetTools.tree) {
        Issue.record("\(place): signet \(arguments.joined(separator: " "))\n\(why)")
      }
    }
  }

  @Test("every example of the help fits, or is continued so that it can be pasted")
  func help() throws {
    var count = 0
    for words in SignetTools.tree.paths {
      let lines = try Self.examples(inHelpOf: words)
      let place = "signet \(words.joined(separator: " ")) --help"
      for line in lines {
        // A manual page is indented by five columns, and leaves two free at the end.
        #expect(line.utf8.count <= Self.columns - 7, "\(place): \(line)")
        #expect(line.hasPrefix("  "), "\(place): \(line)")
      }
      guard !lines.isEmpty else { continue }
      try Self.check(lines, place)
      count += lines.count
    }
    #expect(count > 60)
  }

  @Test("no example is changed by the width at which the parser wraps the help")
  func wrapping() throws {
    for words in SignetTools.tree.paths {
      let command = try #require(SignetTools.tree.command(at: words))
      let wide = SignetTools.tree.root.helpMessage(for: command, columns: 1000).components(separatedBy: "\n")
      for line in try Self.examples(inHelpOf: words) { #expect(wide.contains(line), "\(words): \(line)") }
    }
  }

  @Test("every command of signet in the documents fits, or is continued so that it can be pasted")
  func documents() throws {
    let files = try #require(FileManager.default.enumerator(atPath: Repository.root + "/docs"))
    let documents =
      ["README.md"] + files.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
    var count = 0
    for document in documents.sorted() {
      for block in try Walkthrough(document).blocks where ["", "sh"].contains(block.language) && block.path == nil {
        for command in block.commands {
          let text = command.hasPrefix("! ") ? String(command.dropFirst(2)) : command
          // A line with more than one command, or with a variable, is the document's own test.
          guard text.hasPrefix("signet "), !text.contains(where: { ";|&$<>`…".contains($0) }) else { continue }
          let lines = text.components(separatedBy: "\n")
          for line in lines { #expect(line.utf8.count <= Self.columns, "\(document): \(line)") }
          try Self.check(lines, document)
          count += 1
        }
      }
    }
    #expect(count > 80)
  }
}
