import PluginKit
import Testing

@Suite("A module's resources") struct ResourceTests {
  private struct Changed: Error {}

  private func context(_ resources: ModuleResources?) throws -> ModuleContext {
    Switchboard().context(for: try ModuleDeclaration(identifier: "com.example.m"), resources: resources)
  }

  @Test("what the host has is given as it is, also where it is empty")
  func present() throws {
    let context = try context { path in path == "empty" ? [] : Array(path.utf8) }
    #expect(try context.resource("a/b.txt") == Array("a/b.txt".utf8))
    #expect(try context.resource("empty") == [])
  }

  @Test("what the host does not have is missing, and so is everything where it has none")
  func missing() throws {
    expectPluginError(.resourceMissing) { try context { _ in nil }.resource("a") }
    expectPluginError(.resourceMissing) { try context(nil).resource("a") }
  }

  @Test("what the host cannot give says why, and a path's control characters are not shown")
  func failed() throws {
    let context = try context { _ in throw Changed() }
    let error = #expect(throws: PluginError.self) { try context.resource("a\u{1b}[2J") }
    #expect(error?.code == .resourceFailed)
    #expect(error?.cause is Changed)
    #expect(error?.object.unicodeScalars.contains("\u{1b}") == false)
  }
}
