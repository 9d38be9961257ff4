import Foundation
import SignetCLI
import SignetTools
import TestSupport
import Testing

@testable import SignetTools

/// What a shell offers when somebody presses the key for it.
@Suite("completions")
struct CompletionTests {
  private static func script(for shell: String) throws -> String {
    guard
      case .show(let text) = CommandLinePlan(["--generate-completion-script", shell], of: SignetTools.tree)
    else { throw Missing(shell: shell) }
    return text
  }

  private struct Missing: Error { let shell: String }

  /// The words that bash offers at the end of a line, in a folder with the folder `release` and the file `trust.json`.
  private static func offers(_ words: [String]) throws -> Set<String> {
    let folder = try TemporaryFolder()
    for name in ["release", "registry"] {
      try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: false)
    }
    for (name, text) in [("trust.json", ""), ("completion", try script(for: "bash"))] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }
    let call = """
      . ./completion; COMP_WORDS=(signet "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      cur=${COMP_WORDS[COMP_CWORD]}; [ "$cur" != '=' ] || cur=
      _signet signet "$cur" "${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = try Program.run("/bin/bash", ["-c", call, "bash"] + words, in: folder.path)
    #expect(run.errors.isEmpty, "\(words): \(run.errors)")
    return Set(run.output.split(separator: "\n").map(String.init))
  }

  @Test(
    "bash offers folders where a command takes one",
    arguments: [
      ["gate", ""], ["gate", "re"], ["gate", "release", ""], ["gate", "check", ""], ["gate", "--policy", "p", ""],
      ["gate", "--baseline", ""], ["gate", "release", "--rebuild", ""], ["gate", "init", ""], ["gate", "diff", ""],
      ["sign", "--each", ""], ["pack", ""], ["install", "--store", ""], ["install", "--cache", ""],
      ["store", "list", "--store", ""], ["repo", "status", ""], ["tuf", "init", "--metadata-dir", ""],
    ])
  func folders(_ words: [String]) throws {
    let offers = try Self.offers(words)
    #expect(offers.isSuperset(of: ["release", "registry"]), "\(words)")
    #expect(!offers.contains("trust.json"), "\(words)")
  }

  @Test("bash offers the formats of reports, and files behind the equals sign")
  func reports() throws {
    let formats: Set = [
      "html=", "json=", "sarif=", "junit=", "github=", "gitlab=", "markdown=", "sha256sums=",
    ]
    #expect(try Self.offers(["gate", "check", "release", "--report", ""]) == formats)
    #expect(try Self.offers(["gate", "release", "--report", ""]) == formats)
    #expect(try Self.offers(["gate", "release", "--report", "s"]) == ["sarif=", "sha256sums="])
    #expect(try Self.offers(["gate", "release", "--report", "html", "="]).contains("trust.json"))
    #expect(try Self.offers(["gate", "release", "--report", "html", "=", "tr"]) == ["trust.json"])
    #expect(try Self.offers(["gate", "release", "--policy", "=", "tr"]) == ["trust.json"])
  }

  @Test("bash offers the commands, options and values that there are")
  func names() throws {
    #expect(try Self.offers(["gate", ""]).isSuperset(of: ["check", "init", "diff"]))
    #expect(try Self.offers(["gate", "release", ""]).isDisjoint(with: ["check", "init", "diff"]))
    #expect(try Self.offers(["gate", "--re"]) == ["--revocation-list", "--report", "--rebuild", "--recheck"])
    #expect(try Self.offers(["gate", "release", "--ba"]) == ["--baseline"])
    #expect(try Self.offers(["gate", "release", "--fail-on", ""]) == ["error", "warning"])
    #expect(try Self.offers(["gate", "--explain", "executable"]) == ["executable-stack"])
    #expect(try Self.offers(["gate", "diff", "--"]).contains("--policy"))
    #expect(try Self.offers(["verify", "--policy", ""]).contains("trust.json"))
  }

  @Test("the scripts of zsh and fish offer folders after gate, and files behind a format")
  func otherShells() throws {
    let zsh = try Self.script(for: "zsh")
    #expect(
      zsh.contains("_signet_gate_check\n            return") || zsh.contains("_signet_gate_check\n        return"))
    #expect(zsh.contains(":format=file:{__signet_pairs "))
    #expect(zsh.contains("__signet_pairs() {"))
    let fish = try Self.script(for: "fish")
    #expect(fish.contains("set -p unparsed_tokens 'check'"))
    #expect(fish.contains("positional \"signet gate\" -eq 1' -fa '(__signet_complete_directories)'"))
    #expect(fish.contains("-rka 'json= "))
  }
}
