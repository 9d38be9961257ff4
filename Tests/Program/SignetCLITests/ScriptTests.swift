import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct ScriptTests {
  static let folder = Repository.root + "/Tests/Program/SignetCLITests/Scripts"
  /// Scripts with a test of their own, which says where it cannot run.
  static let conditional = [
    "foreign-workspace", "full-disk", "gate-meanwhile", "no-space", "overlay", "pack-foreign",
  ]
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    .filter { !conditional.contains($0) }

  /// A few short ones that show each part of the program. `make quick` leaves the others out.
  static let quick: Set = ["artifacts", "inspect", "modules", "outputs", "sign-and-verify", "store", "trust"]

  @Test("the short script runs as it says", arguments: names.filter { quick.contains($0) })
  func quickScript(name: String) throws { try run(script: name) }

  @Test("the script runs as it says", .slow, arguments: names.filter { !quick.contains($0) })
  func script(name: String) throws { try run(script: name) }

  @Test(
    "nothing half-written is left where files may not grow: no-space", .slow,
    .enabled(if: !Sanitizer.isThread, "the thread sanitizer cannot start where files may not grow"))
  func noSpace() throws { try run(script: "no-space") }

  @Test(
    "nothing half-written is left on a full disk: full-disk",
    .enabled(if: Surroundings.allowMounting, "no file system may be mounted here; root may"))
  func fullDisk() throws { try run(script: "full-disk") }

  @Test(
    "a gate that is interrupted, or whose release changes meanwhile, says so: gate-meanwhile", .slow,
    .enabled(if: Strace.path != nil, Strace.absence))
  func gateMeanwhile() throws { try run(script: "gate-meanwhile") }

  @Test(
    "a store in a read-only layer is repaired: overlay",
    .enabled(if: Surroundings.allowLayers, "no overlayfs may be mounted here; root may"))
  func overlay() throws { try run(script: "overlay") }

  @Test(
    "a user with umask 002, and root in somebody else's folder, get their work done: foreign-workspace",
    .enabled(if: Surroundings.allowMounting, "no accounts may be mounted here; root may"))
  func foreignWorkspace() throws { try run(script: "foreign-workspace") }

  @Test(
    "archives of every kind are packed anew: pack-foreign", .slow,
    .enabled(
      if: ["bsdtar", "dpkg-deb", "ar"].allSatisfy { Program.find($0) != nil },
      "bsdtar, GNU's tar, dpkg-deb and ar are not all here"))
  func packForeign() throws { try run(script: "pack-foreign") }

  @Test("there are scripts")
  func some() { #expect(Self.names.count >= 8 && Self.quick.isSubset(of: Self.names)) }

  private func run(script name: String) throws {
    let script = try Script(name: name, text: String(contentsOfFile: Self.folder + "/" + name, encoding: .utf8))
    #expect(!script.steps.isEmpty)
    let folder = try TemporaryFolder()
    for step in script.steps {
      let place = "\(name):\(step.line): \(step.command)"
      let result = try step.isInTerminal ? runInTerminal(step, folder, place) : run(step, folder)
      let told = "\(place)\nstatus \(result.status)\n\(result.output)\(result.errors)"
      if !step.expectations.contains(where: { $0.word == "exit" }) { #expect(result.status == 0, "\(told)") }
      for expectation in step.expectations {
        #expect(
          try holds(expectation, result, folder),
          "\(name):\(expectation.line): \(expectation.word) \(expectation.text)\nof \(told)")
      }
    }
  }

  private func run(_ step: Script.Step, _ folder: TemporaryFolder) throws -> Program {
    try Shell.run(step.command, in: folder.path)
  }

  private func runInTerminal(_ step: Script.Step, _ folder: TemporaryFolder, _ place: String) throws -> Program {
    let session = try TerminalSession(step.command, in: folder.path, environment: Shell.environment)
    for (word, text) in step.dialogue {
      switch word {
      case "see": #expect(session.wait(for: text), "\(place): never showed «\(text)» but «\(session.shown)»")
      case "type": session.type(text + "\n")
      default: session.type(["^C": "\u{3}", "^D": "\u{4}"][text] ?? "\u{1a}")
      }
    }
    let status = session.finish()
    return Program(status: status, output: session.shown, errors: "")
  }

  private func holds(
    _ expectation: Script.Expectation, _ result: Program, _ folder: TemporaryFolder
  ) throws -> Bool {
    switch expectation.word {
    case "exit": return "\(result.status)" == expectation.text
    case "out" where expectation.isNumber:
      return result.output.split(whereSeparator: \.isNewline).contains { line in
        line.trimmingCharacters(in: .whitespaces) == expectation.text
      }
    case "out": return result.output.contains(Self.text(expectation))
    case "out-": return !result.output.contains(Self.text(expectation))
    case "ends": return result.output.hasSuffix(Self.text(expectation).replacingOccurrences(of: "\\n", with: "\n"))
    case "err": return result.errors.contains(expectation.text)
    case "err-": return !result.errors.contains(expectation.text)
    case "silent": return result.output.isEmpty
    case "still": return result.errors.isEmpty
    default: return try folder.listing() == expectation.text.split(separator: " ").map(String.init).sorted()
    }
  }

  /// `\e` and `\r` stand for characters that no reader sees.
  private static func text(_ expectation: Script.Expectation) -> String {
    expectation.text.replacingOccurrences(of: "\\e", with: "\u{1b}").replacingOccurrences(of: "\\r", with: "\r")
  }
}
