import Foundation
import ModuleInstaller
import ModuleResolver
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import RegistryTestSupport

/// A program that links the library installs a project as the command does: all or nothing, with the lock last.
@Suite struct ProjectChangeTests {
  private let fixture: RegistryFixture
  private let policy: TrustPolicy
  private let project: ProjectFiles
  private let lines = "source 'main', 'https://modules.example.com', modules: 'com.example.**'\n"

  init() throws {
    fixture = try RegistryFixture()
    try fixture.push(fixture.module())
    policy = try TrustPolicy(trusting: [fixture.publisher.publicKey])
    try FileManager.default.createDirectory(atPath: fixture.folder.file("project"), withIntermediateDirectories: true)
    project = ProjectFiles(usual: fixture.folder.file("project/Modfile"))
    try fixture.folder.write("project/Modfile", Array((lines + "module 'com.example.player'\n").utf8))
  }

  private func store() throws -> ModuleStore {
    try ModuleStore(creating: fixture.folder.file("store"), policy: policy, clock: .fixed(RegistryFixture.now))
  }

  private func install(editing text: [UInt8]? = nil, meanwhile: () throws -> Void = {}) throws {
    let (_, before) = try project.read()
    let old = try project.readLock()
    let after = text ?? before
    let installation = try ModfileInstallation(
      Modfile(after), lock: old, mode: .install, ModfileInstallationTests.registries(fixture))
    let ready = try installation.fetch(for: nil, under: policy)
    try meanwhile()
    let change = try ProjectChange(of: project, from: (before, old), to: after, installation.lock)
    _ = try installation.apply(
      ready, for: nil, to: store(), sources: SourcesFolder(fixture.folder.file("sources")), writing: change)
  }

  @Test("the lock is written with what is installed, and an edit of the Modfile with both")
  func whole() throws {
    try install()
    #expect(try store().listed().count == 1)
    let lock = try #require(try project.readLock())
    #expect(lock.modules.map { "\($0.identifier)" } == ["com.example.player"])
    try install(editing: Array(lines.utf8))
    #expect(try store().listed().isEmpty)
    #expect(try project.readLock()?.modules.isEmpty == true)
    #expect(try project.read().bytes == Array(lines.utf8))
  }

  @Test("a run that another one has overtaken changes nothing, and leaves no draft")
  func overtaken() throws {
    try install()
    let before = try fixture.folder.read("project/Modfile.lock")
    let other = Array((lines + "# another hand\nmodule 'com.example.player'\n").utf8)
    expectError(.installChanged) {
      try install(editing: Array(lines.utf8)) { try fixture.folder.write("project/Modfile", other) }
    }
    #expect(try store().listed().count == 1)
    #expect(try fixture.folder.read("project/Modfile") == other)
    #expect(try fixture.folder.read("project/Modfile.lock") == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.folder.file("project")).sorted()
        == ["Modfile", "Modfile.lock"])
  }
}
