import Foundation
import TestSupport
import Testing

@Suite("Articles") struct ArticleTests {
  private static let root = URL(filePath: Repository.root)
  private static let names = ["WritingAPluginInSwift", "WritingAPluginInC", "Routing", "ServicesAndEvents"]

  /// The blocks of an article in a language.
  private func blocks(_ article: String, _ language: String) throws -> [String] {
    let text = try String(
      contentsOf: Self.root.appending(path: "Sources/Plugins/PluginKit/PluginKit.docc/\(article).md"), encoding: .utf8
    )
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  /// Without what stands in front of the lines and behind them.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
  }

  @Test("each snippet in Swift stands in a test that is compiled and run", arguments: names)
  func swift(_ article: String) throws {
    let blocks = try blocks(article, "swift")
    guard !blocks.isEmpty else {
      #expect(article == "WritingAPluginInC")
      return
    }
    let test = lines(
      try String(
        contentsOf: Self.root.appending(path: "Tests/Plugins/PluginKitTests/Articles/\(article).swift"),
        encoding: .utf8))
    for block in blocks {
      let wanted = lines(block)
      let isThere = test.indices.contains { test[$0...].starts(with: wanted) }
      #expect(isThere, "\(block)")
    }
  }

  @Test(
    "the plugin in C, and the header, compile without warnings as C and as C++",
    arguments: [
      ["-x", "c", "-std=c99"], ["-x", "c", "-std=c17"], ["-x", "c++", "-std=c++11"], ["-x", "c++", "-std=c++20"],
    ])
  func c(_ language: [String]) throws {
    let block = try #require(try blocks("WritingAPluginInC", "c").first)
    // C++ does not turn a pointer to anything into one of a type without being told.
    let text = language[1] == "c++" ? block.replacing("= user;", with: "= (const signet_host *)user;") : block
    let folder = FileManager.default.temporaryDirectory.appending(path: "article-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "plugin.c")
    try text.write(to: file, atomically: true, encoding: .utf8)
    let compiler = try #require(Program.find("clang"))
    let arguments =
      language
      + [
        "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-I",
        Self.root.appending(path: "Sources/Plugins/CSignetPlugin/include").path, file.path,
      ]
    let run = try Program.run(compiler, arguments)
    #expect(run.status == 0, "\(run.errors)")
  }
}
