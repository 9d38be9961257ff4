import Foundation
import TestSupport
import Testing

/// The README is a proof: its commands run, and print what it says.
@Suite(.timeLimit(.minutes(60))) struct ReadmeTests {
  static let guides = ["sign-a-release", "write-a-policy", "rotate-and-revoke", "pipeline", "write-a-host"].map {
    "docs/guides/\($0).md"
  }

  @Test(
    "every command of the README and the guides runs, and its output is the one shown",
    arguments: ["README.md", "docs/registry.md", "docs/oci.md"] + guides)
  func commands(_ document: String) async throws {
    let page = try Walkthrough(document)
    let walked = try await page.run(in: TemporaryFolder())
    #expect(walked.commands >= 3)
    #expect(walked.shown == page.blocks.filter { $0.language == "swift" }.compactMap(\.path))
  }

  @Test("links between the documents lead to files that are there")
  func links() throws {
    for document in ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"] + (try Self.documents()) {
      let folder = (document as NSString).deletingLastPathComponent
      for part in try Repository.text(document).components(separatedBy: "](").dropFirst() {
        let link = part.prefix { $0 != ")" && $0 != "#" }
        guard !link.isEmpty, !link.contains("://") else { continue }
        let path = ((folder as NSString).appendingPathComponent(String(link)) as NSString).standardizingPath
        #expect(FileManager.default.fileExists(atPath: Repository.root + "/" + path), "\(document): \(link)")
      }
    }
  }

  private static func documents() throws -> [String] {
    let files = try #require(FileManager.default.enumerator(atPath: Repository.root + "/docs"))
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
  }

  @Test("the README's two commands are targets of the Makefile")
  func targets() throws {
    let makefile = try Repository.text("Makefile")
    let setup = try #require(
      Walkthrough("README.md").blocks.first { $0.lines.first?.hasPrefix("make") == true })
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
        let isOfHost = file.contains("/Plugin") || file.contains("Face/") || code.hasPrefix("fetch.")
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
