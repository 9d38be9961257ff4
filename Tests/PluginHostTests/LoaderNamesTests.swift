import Foundation
import ModuleStore
import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import PluginHost

/// Libraries that the process has under a name that a module needs, and that are not meant for it.
@Suite("names of libraries", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct LoaderNamesTests {
  private typealias Workshop = ModuleWorkshop
  private static let visible = "__attribute__((visibility(\"default\"))) "

  /// A module that needs a library, which it does not bring.
  private func guest(_ name: String, of library: String) -> Workshop.Module {
    .init(
      identifier: "com.example.\(name)",
      main: .init(
        source: Workshop.constructor(name) + "int shared(void);\n"
          + Workshop.principal(body: "return shared() == 7 ? SIGNET_OK : SIGNET_ERROR_FAILED;"),
        flags: [library]), declared: ["libc.so.6", URL(filePath: library).lastPathComponent])
  }

  private func library(_ name: String, _ answer: Int, in place: TemporaryFolder, by workshop: Workshop) throws
    -> String
  {
    try workshop.build(
      .init(name: name, source: Self.visible + "int shared(void) { return \(answer); }"), in: place.path,
      isBrought: true)
    return place.file(name)
  }

  @Test("what somebody has loaded since the host began is no library for modules, unless the host lists it")
  func loadedLater() throws {
    let workshop = try Workshop()
    let place = try TemporaryFolder()
    let path = try library("libloaded-later.so", 7, in: place, by: workshop)
    let release = try workshop.install(guest("later", of: path))
    let loader = ModuleLoader()
    try #require(dlopen(path, RTLD_NOW | RTLD_LOCAL) != nil)
    expectError(.loaderLibraryMissing) { _ = try loader.load(release) { _ in } }
    #expect(workshop.marks.isEmpty)
    // A host that begins now was begun with it.
    _ = try ModuleLoader().load(release) { _ in }
    #expect(workshop.marks == ["later"])
  }

  @Test("a library that one module brings is not another's")
  func broughtByAnother() throws {
    let workshop = try Workshop()
    let name = "libbrought-by-another.so"
    let place = try TemporaryFolder()
    let path = try library(name, 7, in: place, by: workshop)
    let owner = try workshop.install(
      .init(
        identifier: "com.example.owner",
        main: .init(
          source: "int shared(void);\n" + Workshop.principal(body: "return shared() - 7;"), needed: [name]),
        libraries: [.init(name: name, source: "", prebuilt: path)]))
    let borrower = try workshop.install(guest("borrower", of: path))
    let loader = ModuleLoader()
    _ = try loader.load(owner) { _ in }
    expectError(.loaderLibraryMissing) { _ = try loader.load(borrower) { _ in } }
    #expect(workshop.marks.isEmpty)
  }

  @Test("a module brings no library under a name of the host's list, also before the host has opened that")
  func listedName() throws {
    let workshop = try Workshop()
    let name = "liblisted-only.so"
    let release = try workshop.install(
      .init(
        identifier: "com.example.usurper",
        main: .init(
          source: "int shared(void);\n" + Workshop.principal(body: "return shared() - 7;"), needed: [name]),
        libraries: [
          .init(name: name, source: Workshop.constructor("brought") + Self.visible + "int shared(void) { return 7; }")
        ]))
    expectError(.elfSonameConflict) {
      _ = try ModuleLoader(hostLibraries: [name: "/nowhere/\(name)"]).load(release) { _ in }
    }
    #expect(workshop.marks.isEmpty)
  }

  @Test("a library of the host's list is that file, and no other that is loaded under its name")
  func otherFile() throws {
    let workshop = try Workshop()
    let name = "liblisted-twice.so"
    let (first, second) = (try TemporaryFolder(), try TemporaryFolder())
    let loaded = try library(name, 1, in: first, by: workshop)
    let listed = try library(name, 7, in: second, by: workshop)
    let release = try workshop.install(guest("listed", of: listed))
    try #require(dlopen(loaded, RTLD_NOW | RTLD_LOCAL) != nil)
    expectError(.loaderHostLibrary) {
      _ = try ModuleLoader(hostLibraries: [name: listed]).load(release) { _ in }
    }
    #expect(workshop.marks.isEmpty)
  }
}
