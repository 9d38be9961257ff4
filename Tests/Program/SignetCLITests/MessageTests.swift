import Foundation
import SignetBase
import TestSupport
import Testing

@testable import SignetCLI
@testable import SignetTools

/// Who reads a message wants to go on. A command line that it gives is taken as it stands, with a value for each word in
/// capitals; a command that it only names has to be there.
@Suite("commands that messages name")
struct MessageTests {
  /// A message or a hint of the list of all, and its line.
  private struct Text {
    let line: String
    let text: String
  }

  /// What the list of all messages has, without the codes.
  private static func texts() throws -> [Text] {
    try Repository.text("Tests/messages.txt").components(separatedBy: "\n").dropFirst().flatMap { line in
      line.components(separatedBy: " | ").dropFirst().flatMap { $0.components(separatedBy: " / ") }
        .map { Text(line: line, text: $0) }
    } + NextStep.steps.map { Text(line: "step \($0.key) | \($0.value)", text: $0.value) }
  }

  @Test("every error that a command reports has a next step")
  func nextSteps() throws {
    let lines = try Repository.text("Tests/messages.txt").components(separatedBy: "\n").dropFirst()
    var families: Set<String> = []
    for line in lines {
      let parts = line.components(separatedBy: " | ")
      guard parts.count == 2, let family = parts[0].split(separator: ".").first, parts[0].contains(".") else {
        continue
      }
      families.insert(String(family))
      guard !Self.toldToCode.contains(String(family)) else { continue }
      #expect(NextStep.of(SignetError.Code(parts[0], .refusal)) != nil, "no next step: \(line)")
    }
    #expect(families.isSuperset(of: Self.toldToCode), "one of these kinds of errors is no longer there")
    for (code, step) in NextStep.steps {
      #expect(step.first?.isLowercase == true && step.last != ".", "\(code): \(step)")
    }
  }

  /// Errors that code is told, a module's or a host's, when it calls the router. No command reports them. A wrong use of
  /// a command says what would be right instead of a next step.
  private static let toldToCode: Set = [
    "action", "external", "launch", "page", "plugin", "resource", "route", "service", "target", "url", "usage", "web",
  ]

  /// A part of a text: what a command says, or a sentence.
  private enum Part {
    /// Arguments of signet that somebody runs.
    case commandLine([String])
    /// Words, of which some may name a command or an option.
    case words([String])

    init(_ text: String) {
      let line =
        text.hasPrefix("signet ")
        ? text : text.range(of: ": signet ").map { String(text[$0.lowerBound...].dropFirst(2)) }
      let words = Self.words(line ?? text)
      // "signet repo verify lists the roles" is a sentence.
      let command = SignetTools.tree.command(leading: Array(words.dropFirst()))
      let next = words.dropFirst(1 + command.words).first
      if line != nil, command.words > 0, next.map({ !$0.allSatisfy(\.isLowercase) || text.contains(": ") }) ?? true {
        self = .commandLine(Array(words.dropFirst()))
      } else {
        self = .words(Self.words(text))
      }
    }

    /// The words of a text, with a name for each value that the program puts in.
    private static func words(_ text: String) -> [String] {
      text.replacing(/\\\([^ )]*\)/, with: "com.example.player").split(separator: " ").map {
        $0.trimmingCharacters(in: CharacterSet(charactersIn: ".,:;()'"))
      }
    }
  }

  /// The options that a message names and that are another program's.
  private static let foreignOptions: Set = [
    "--add-gnu-debuglink", "--build-id", "--disable-local-rpath", "--exclude", "--exclude-deps", "--export-dynamic",
    "--format", "--only-keep-debug", "--strip", "--tags",
  ]

  @Test("a command line in a message is one that the program takes")
  func commandLines() throws {
    var count = 0
    for text in try Self.texts() {
      for part in text.text.components(separatedBy: "; ") {
        guard case .commandLine(let arguments) = Part(part) else { continue }
        if case .refuse(let why) = CommandLinePlan(arguments, of: SignetTools.tree) {
          Issue.record("\(text.line): signet \(arguments.joined(separator: " "))\n\(why)")
        }
        count += 1
      }
    }
    #expect(count > 60)
  }

  @Test("a message names only commands that there are, each with options that it has")
  func names() throws {
    let all = Set(SignetTools.tree.paths.compactMap { SignetTools.tree.command(at: $0) }.flatMap(CommandTree.options))
    var count = 0
    for text in try Self.texts() {
      // A sentence of a message names one command at most.
      for part in text.text.components(separatedBy: "; ") {
        guard case .words(let words) = Part(part) else { continue }
        let options = words.map { String($0.prefix { $0 != "=" }) }.filter {
          $0.hasPrefix("--") && $0.dropFirst(2).first?.isLowercase == true
        }
        guard let place = words.firstIndex(of: "signet"), words.indices.contains(place + 1) else {
          for option in options where !Self.foreignOptions.contains(option) {
            #expect(all.contains(option), "no command has \(option): \(text.line)")
          }
          continue
        }
        let named = SignetTools.tree.command(leading: Array(words[(place + 1)...]))
        #expect(named.words > 0, "signet \(words[place + 1]) is no command: \(text.line)")
        let known = CommandTree.options(of: named.command)
        for option in options { #expect(known.contains(option), "the command has no \(option): \(text.line)") }
        count += 1
      }
    }
    #expect(count > 10)
  }
}
