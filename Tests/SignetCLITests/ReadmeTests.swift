import Foundation
import TestSupport
import Testing

/// The README is a proof: its commands run, and print what it says.
@Suite(.timeLimit(.minutes(60))) struct ReadmeTests {
  struct Block {
    let language: String
    let lines: [String]
  }

  static func blocks(_ text: String) -> [Block] {
    var blocks: [Block] = []
    var open: (language: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(Block(language: block.language, lines: block.lines))
          open = nil
        } else {
          open = (String(line.dropFirst(3)), [])
        }
      } else {
        open?.lines.append(line)
      }
    }
    return blocks
  }

  @Test("every command of the README runs, and its output is the one shown")
  func commands() throws {
    let folder = try TemporaryFolder()
    var output = ""
    var count = 0
    for block in Self.blocks(try Repository.text("README.md")) {
      if block.language == "sh" {
        output = ""
        for line in block.lines {
          let isRefused = line.hasPrefix("! ")
          let command = isRefused ? String(line.dropFirst(2)) : line
          let run = try Shell.run(command, in: folder.path)
          #expect(run.status == (isRefused ? 1 : 0), "\(line)\n\(run.errors)")
          output += run.output + run.errors
          count += 1
        }
      } else if block.language.isEmpty, count > 0 {
        for part in block.lines.flatMap({ $0.components(separatedBy: "…") }) {
          #expect(part.isEmpty || output.contains(part), "«\(part)» in\n\(output)")
        }
      }
    }
    #expect(count >= 10)
  }

  @Test("the README's two commands are targets of the Makefile")
  func targets() throws {
    let makefile = try Repository.text("Makefile")
    let setup = try #require(
      Self.blocks(try Repository.text("README.md")).first { $0.lines.first?.hasPrefix("make") == true })
    #expect(setup.lines == ["make demo", "make test"])
    for line in setup.lines { #expect(makefile.contains("\n\(line.dropFirst(5)):")) }
  }

  @Test(
    "every code of the sources stands in docs/cli.md, those of hosts and plugins in docs/plugins.md, and no other",
    arguments: [("docs/cli.md", false), ("docs/plugins.md", true)])
  func codes(_ document: String, _ isOfPlugins: Bool) throws {
    var sources = Set<String>()
    let files = try #require(FileManager.default.enumerator(atPath: Repository.root + "/Sources"))
    for case let file as String in files
    where file.hasSuffix(".swift") {
      for part in try Repository.text("Sources/" + file).components(separatedBy: " = Self(\"").dropFirst() {
        let code = String(part.prefix { $0 != "\"" })
        // Downloads lie in the store, and only hosts have any.
        let isOfHost = file.hasPrefix("Plugin") || code.hasPrefix("fetch.")
        if code.contains("."), isOfHost == isOfPlugins { sources.insert(code) }
      }
    }
    var documented = Set<String>()
    let rows = try Repository.text(document).components(separatedBy: "## Codes\n")[1].split(separator: "\n")
    for row in rows where row.hasPrefix("| `") {
      let words = row.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      var family = ""
      for word in words {
        if word.hasSuffix(".*") {
          family = String(word.dropLast())
        } else {
          documented.insert(word.contains(".") ? word : family + word)
        }
      }
    }
    #expect(sources.subtracting(documented).isEmpty, "not in \(document)")
    #expect(documented.subtracting(sources).isEmpty, "only in \(document)")
  }
}
