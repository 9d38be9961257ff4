import Foundation
import ModuleStore
import Signet
import SignetCrypto
import SignetELF
import TestSupport
import Testing

@testable import HostTestSupport
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

  /// What would get the host the module's library, were it loaded: `dlopen` of the name would find it.
  @Test(
    "a binary has no name that the host may look for",
    arguments: ["libopened-later.so.0", "/usr/lib/gconv/UTF-16.so"])
  func binaryName(_ name: String) throws {
    let workshop = try Workshop()
    let module = Workshop.Module(
      identifier: "com.example.named",
      main: .init(source: Workshop.constructor("main") + Workshop.principal(), flags: ["-Wl,-soname,\(name)"]))
    expectError(.elfSoname) { _ = try workshop.archive(module) }
    let release = try workshop.install(module.unchecked)
    let loader = ModuleLoader()
    expectError(.elfSoname) { _ = try loader.load(release) { _ in } }
    #expect(workshop.marks.isEmpty && loader.images.isEmpty)
    #expect(dlopen(name, RTLD_NOW | RTLD_NOLOAD) == nil)
  }

  @Test("a binary may have the name of its file")
  func ownName() throws {
    let workshop = try Workshop()
    let release = try workshop.install(
      .init(
        identifier: "com.example.same",
        main: .init(
          source: Workshop.constructor("main") + Workshop.principal(), flags: ["-Wl,-soname,com_example_same.so"])))
    _ = try ModuleLoader().load(release) { _ in }
    #expect(workshop.marks == ["main"])
  }

  @Test("a library that is brought has no name under which the system has another")
  func systemsName() throws {
    let workshop = try Workshop()
    // Of the folders that the dynamic linker looks through, one has a library that nobody has loaded and no list knows.
    let loaded = ProcessLibraries.names()
    let name = try #require(
      LinkerSearch.folders().flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }.sorted()
        .first {
          $0.hasPrefix("lib") && $0.contains(".so.") && !loaded.contains(Array($0.utf8))
            && !SystemLibraries.contains($0)
        })
    #expect(LinkerSearch.finds(name))
    #expect(!LinkerSearch.finds("libcom_example_nobody.so") && !LinkerSearch.finds("/etc/ld.so.cache"))
    let release = try workshop.install(
      .init(
        identifier: "com.example.takes",
        main: .init(
          source: "int shared(void);\n" + Workshop.principal(body: "return shared() - 7;"), needed: [name]),
        libraries: [
          .init(name: name, source: Workshop.constructor("brought") + Self.visible + "int shared(void) { return 7; }")
        ]))
    let error = expectError(.elfSonameConflict) { _ = try ModuleLoader().load(release) { _ in } }
    #expect(error?.found == name)
    #expect(workshop.marks.isEmpty)
  }

  @Test("the names of the process are those of its libraries now, whatever was loaded and unloaded meanwhile")
  func namesNow() async throws {
    let workshop = try Workshop()
    let place = try TemporaryFolder()
    for name in ["one", "two", "three"] { _ = try library("libnow_\(name).so", 1, in: place, by: workshop) }
    let folder = place.path
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      func names() -> [String] {
        ["one", "two", "three"].filter { ProcessLibraries.names().contains(Array("libnow_\($0).so".utf8)) }
      }
      func open(_ name: String) throws -> UnsafeMutableRawPointer {
        try #require(dlopen("\(folder)/libnow_\(name).so", RTLD_NOW | RTLD_LOCAL))
      }
      let first = ProcessLibraries.names()
      #expect(first.contains(Array("libc.so.6".utf8)) && names().isEmpty)
      let one = try open("one")
      #expect(names() == ["one"])
      _ = try open("two")
      #expect(names() == ["one", "two"])
      // As many as before, and another one.
      dlclose(one)
      _ = try open("three")
      #expect(names() == ["two", "three"])
      #expect(ProcessLibraries.names().count == first.count + 2)
      dlclose(try open("one"))
      #expect(names() == ["two", "three"])
    }
  }
}
