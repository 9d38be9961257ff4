import SignetBase
import SignetCrypto
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry

/// What people read before they sign.
@Suite struct ShownChangeTests {
  @Test("people see what changes in a bin: what is removed, and what is offered otherwise than before")
  func shownBins() throws {
    let fixture = try RegistryFixture()
    fixture.registry.mostTargets = 8
    var modules: [String] = []
    for number in 0..<6 { modules.append(try fixture.module("com.example.m\(number)")) }
    _ = try fixture.registry.push(modules, of: "example", signedBy: [fixture.publisher], online: [fixture.online])
    _ = try fixture.registry.yank("com.example.m1", "1.0.0", because: "loses settings", signedBy: [fixture.publisher])
    let lines = try fixture.registry.pendingChanges().flatMap(\.changes)
    #expect(lines.first == "version 1 becomes version 2")
    #expect(!lines.contains { $0.hasPrefix("target added") })
    let told = lines.filter { $0.hasPrefix("target ") }
    #expect(told.count == 1 && told[0].hasPrefix("target described anew: com/example/m1/1.0.0/module.zip, now as {"))
    #expect(told[0].contains("loses settings"))
  }
}
