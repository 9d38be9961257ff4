import Foundation
import ModuleCatalog
import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import RegistryTestSupport

/// What people read before they sign.
@Suite struct ShownChangeTests {
  @Test("people see what changes in a bin: what is removed, and what is offered otherwise than before")
  func shownBins() throws {
    let fixture = try RegistryFixture()
    fixture.registry.mostTargets = 12
    var modules: [String] = []
    for number in 0..<6 { modules.append(try fixture.module("com.example.m\(number)")) }
    _ = try fixture.registry.push(modules, of: "example", signedBy: [fixture.publisher], online: [fixture.online])
    _ = try fixture.registry.yank("com.example.m1", "1.0.0", because: "loses settings", signedBy: [fixture.publisher])
    let lines = try fixture.registry.pendingChanges().flatMap(\.changes)
    #expect(lines.first == "version 1 becomes version 2")
    #expect(!lines.contains { $0.hasPrefix("target added") })
    #expect(
      lines.filter { $0.hasPrefix("target ") } == [
        "target changed: com/example/m1/releases/index.json: other bytes"
      ])
    #expect(lines.filter { $0.hasPrefix("module ") } == ["module com.example.m1: 1.0.0 withdrawn: loses settings"])
  }

  @Test("people see which releases an index adds, withdraws, offers again, changes and loses")
  func indexes() throws {
    let fixture = try RegistryFixture()
    func lines() throws -> [String] {
      try fixture.registry.pendingChanges().flatMap(\.changes).filter { $0.hasPrefix("module ") }
    }
    try fixture.push(fixture.module(), isPublished: false)
    #expect(try lines() == ["module com.example.player: 1.0.0 added, sequence 1"])
    try fixture.refresh()
    let reason = "a\u{1b}[2Jb"
    _ = try fixture.registry.yank("com.example.player", "1.0.0", because: reason, signedBy: [fixture.publisher])
    #expect(try lines() == [#"module com.example.player: 1.0.0 withdrawn: a\u{1b}[2Jb"#])
    try fixture.refresh()
    _ = try fixture.registry.yank("com.example.player", "1.0.0", because: nil, signedBy: [fixture.publisher])
    #expect(try lines() == ["module com.example.player: 1.0.0 offered again"])
    try fixture.refresh()
    // A draft by other tools.
    for (change, words) in [
      ("{\"identifier\":\"com.example.player\",\"releases\":[],\"version\":1}", "1.0.0 is gone"),
      (try fixture.index().replacingOccurrences(of: "module.zip", with: "module.tar"), "1.0.0 has other files"),
    ] {
      try fixture.draftIndex(change, signedBy: nil)
      #expect(try lines() == ["module com.example.player: \(words)"])
    }
    try fixture.draftIndex("{}", signedBy: nil)
    #expect(try fixture.registry.pendingChanges().map(\.fault?.code) == [.repoIndex])
    expectError(.tufForeignKey) {
      _ = try fixture.registry.sign(fixture.registry.pendingChanges(), with: fixture.publisher)
    }
  }
}
