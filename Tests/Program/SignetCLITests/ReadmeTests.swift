import Foundation
import TestSupport
import Testing

/// The README is a proof: its commands run, and print what it says.
@Suite(.timeLimit(.minutes(60))) struct ReadmeTests {
  static let guides = [
    "coming-from", "sign-a-release", "write-a-policy", "rotate-and-revoke", "new-key", "stolen-key", "pipeline",
    "write-a-host",
    "certify-signers",
  ].map {
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

  @Test("the guide about timestamps runs with an authority on this machine, and its release verifies in three years")
  func timestamps() async throws {
    let folder = try TemporaryFolder()
    let server = try Shell.run(
      """
      (exec python3 "$KEYS/../Tests/Program/SignetCLITests/Mirrors/authority.py" clock port > /dev/null 2>&1 & echo $! > pid) \
      && for i in $(seq 600); do test -s port && break; sleep 0.1; done && cp clock/ca.pem tsa.pem && cat port
      """, in: folder.path)
    try #require(server.status == 0, "\(server.errors)")
    defer { _ = try? Shell.run("kill $(cat pid)", in: folder.path) }
    let walked = try await Walkthrough("docs/guides/stamp-signatures.md").run(
      in: folder, variables: ["TSA": "http://127.0.0.1:\(server.output)/good"])
    #expect(walked.commands >= 10)
  }

  @Test("links between the documents lead to files and headings that are there")
  func links() throws {
    let pages = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "Fixtures/README.md"]
    for document in pages + (try Self.documents()) {
      for link in try Self.links(of: document) {
        guard FileManager.default.fileExists(atPath: Repository.root + "/" + link.path) else {
          Issue.record("\(document): \(link.path) is not there")
          continue
        }
        guard !link.heading.isEmpty else { continue }
        #expect(try Self.headings(of: link.path).contains(link.heading), "\(document): \(link)")
      }
    }
  }

  @Test("each document is reached from docs/README.md, which gives each reader three links at most")
  func map() throws {
    let pages = ["docs/README.md", "docs/migrating/README.md"]
    let linked = try pages.flatMap { try Self.links(of: $0).map(\.path) } + pages
    #expect(Set(try Self.documents()).subtracting(linked) == [])
    let rows = try Repository.text("docs/README.md").split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count >= 8)
    for row in rows { #expect((2...3).contains(row.components(separatedBy: "](").count - 1), "\(row)") }
  }

  /// The links of a document that lead to files: their paths from the repository's folder, and headings in them.
  private static func links(of document: String) throws -> [(path: String, heading: String)] {
    let folder = (document as NSString).deletingLastPathComponent
    return try Repository.text(document).components(separatedBy: "](").dropFirst().compactMap { part in
      let words = part.prefix { $0 != ")" }.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
      guard !words[0].contains("://") else { return nil }
      let path = words[0].isEmpty ? document : (folder as NSString).appendingPathComponent(words[0])
      return ((path as NSString).standardizingPath, words.count > 1 ? words[1] : "")
    }
  }

  /// The headings of a document, as links name them.
  private static func headings(of document: String) throws -> Set<String> {
    let lines = try Repository.text(document).split(separator: "\n").filter { $0.hasPrefix("#") }
    return Set(
      lines.map { line in
        let text = line.drop { $0 == "#" }.dropFirst().lowercased()
        return String(text.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.map { $0 == " " ? "-" : $0 })
      })
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
