import Foundation
import ReleaseContents
import Signet
import SignetBase
import TestSupport
import Testing

/// What each entry of a release's folder is, from its name and its neighbours alone.
struct ReleaseFilesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func add(_ paths: String...) throws {
    for path in paths {
      let place = URL(fileURLWithPath: folder.file(path))
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(path.utf8).write(to: place)
    }
  }

  private func roles(excluding patterns: [String] = [], wholes: [String] = []) throws -> [String] {
    let patterns = try patterns.map { try #require(PathPattern($0)) }
    return try ReleaseFiles(in: [folder.path], excluding: patterns, wholes: wholes).files.map { file in
      let role =
        switch file.role {
        case .artifact(let bundles): "artifact \(bundles)"
        case .directory(let bundles): "directory \(bundles)"
        case .bundle(let artifact, let isOrphan): "bundle of \(artifact)\(isOrphan ? ", which is missing" : "")"
        case .attestation(let artifact, let label): "\(label) of \(artifact)"
        case .excluded(let pattern): "left out by \(pattern)"
        case .part(let directory): "part of \(directory)"
        case .link(let target): "link to \(target)"
        case .folder: "folder"
        }
      return "\(file.path): \(role)"
    }
  }

  @Test("signatures belong to what they are named after")
  func bundles() throws {
    try add(
      "tool", "tool.sigstore.json", "tool.provenance.sigstore.json", "gone.sigstore.json", "a.b", "a.b.sigstore.jsonl"
    )
    #expect(
      try roles() == [
        #"a.b: artifact ["a.b.sigstore.jsonl"]"#, "a.b.sigstore.jsonl: bundle of a.b",
        "gone.sigstore.json: bundle of gone, which is missing",
        #"tool: artifact ["tool.sigstore.json"]"#, "tool.provenance.sigstore.json: provenance of tool",
        "tool.sigstore.json: bundle of tool",
      ])
  }

  @Test("a folder with a signature beside it is one artifact, and others are places")
  func directories() throws {
    try add("app/main", "app/sub/more", "app.sigstore.json", "docs/page", "whole/part")
    #expect(
      try roles(wholes: ["whole"]) == [
        #"app: directory ["app.sigstore.json"]"#, "app.sigstore.json: bundle of app", "app/main: part of app",
        "app/sub: part of app", "app/sub/more: part of app", "docs: folder", "docs/page: artifact []",
        "whole: directory []", "whole/part: part of whole",
      ])
  }

  @Test("what a pattern leaves out is left out with all below it, and its signature has nothing to be about")
  func exclusions() throws {
    try add("notes.md", "notes.md.sigstore.json", "docs/page", "docs/sub/page", "tool")
    #expect(
      try roles(excluding: ["docs", "*.md"]) == [
        "docs: left out by docs", "docs/page: left out by docs", "docs/sub: left out by docs",
        "docs/sub/page: left out by docs", "notes.md: left out by *.md",
        "notes.md.sigstore.json: bundle of notes.md, which is missing", "tool: artifact []",
      ])
  }

  @Test("a link leads to a file of the release, or ends the scan")
  func links() throws {
    try add("lib/tool-1.2", "lib/other")
    try FileManager.default.createSymbolicLink(atPath: folder.file("lib/tool"), withDestinationPath: "tool-1.2")
    #expect(try roles().contains("lib/tool: link to lib/tool-1.2"))
    try FileManager.default.createSymbolicLink(atPath: folder.file("out"), withDestinationPath: "../elsewhere")
    let error = expectError(.gateLink) { _ = try roles() }
    #expect(error?.object == folder.file("out"))
  }

  @Test("a pipe ends the scan, unless it is left out")
  func special() throws {
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    expectError(.gateSpecialFile) { _ = try roles() }
    #expect(try roles(excluding: ["pipe"]) == ["pipe: left out by pipe"])
  }
}
