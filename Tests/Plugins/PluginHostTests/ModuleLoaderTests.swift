import Foundation
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

@Suite("the loader", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing)) struct ModuleLoaderTests
{
  @Test("a module's code is loaded from sealed memory, once")
  func loads() throws {
    let workshop = try ModuleWorkshop()
    let release = try workshop.install(
      .init(
        identifier: "com.example.loads",
        main: .init(source: ModuleWorkshop.constructor("main") + ModuleWorkshop.principal())))
    #expect(workshop.marks.isEmpty)
    let loader = ModuleLoader()
    var entered: [UInt] = []
    let code = try loader.load(release) { entered.append($0.principal) }
    #expect(workshop.marks == ["main"])
    #expect(entered == [code.principal])
    #expect(code.images.count == 1)
    let image = try #require(code.images.first)
    #expect(image.contains(code.principal))
    #expect(image.path == "lib/com_example_loads.so")
    #expect(image.name.hasPrefix("/proc/self/fd/"))
    #expect(image.buildID.count == 20)
    #expect(loader.images == code.images)
    let again = try loader.load(release) { entered.append($0.principal) }
    #expect(again.principal == code.principal)
    #expect(entered.count == 1)
  }

  @Test(
    "a number of a descriptor that was closed, and under which the dynamic linker knows another library, is not used")
  func reusedNumber() async {
    // In a process of its own: the numbers belong to whoever comes first.
    await #expect(processExitsWith: .exitCode(0)) {
      let workshop = try ModuleWorkshop()
      // Another part of the host loads a library by the same way, and closes its descriptor.
      let place = try TemporaryFolder()
      try workshop.build(.init(name: "libother.so", source: "int other = 1;"), in: place.path, isBrought: true)
      let file = open(place.file("libother.so"), O_RDONLY)
      var taken: [Int32] = []
      for number in Int32(512)..<600 where fcntl(number, F_GETFD) < 0 {
        guard dup2(file, number) == number, dlopen("/proc/self/fd/\(number)", RTLD_NOW | RTLD_LOCAL) != nil else {
          exit(1)
        }
        taken.append(number)
      }
      for number in taken { close(number) }
      close(file)
      let release = try workshop.install(
        .init(
          identifier: "com.example.reused",
          main: .init(source: ModuleWorkshop.constructor("main") + ModuleWorkshop.principal())))
      let code = try ModuleLoader().load(release) { _ in }
      guard let image = code.images.first, workshop.marks == ["main"] else { exit(2) }
      let handle = dlopen(image.name, RTLD_NOW | RTLD_NOLOAD)
      guard dlsym(handle, "m_main").map({ UInt(bitPattern: $0) }) == code.principal, dlsym(handle, "other") == nil
      else {
        exit(3)
      }
      exit(taken.count > 50 ? 0 : 4)
    }
  }

  @Test("where a module brings libraries, each is opened after those that it needs")
  func order() throws {
    let workshop = try ModuleWorkshop()
    let visible = "__attribute__((visibility(\"default\"))) "
    let release = try workshop.install(
      .init(
        identifier: "com.example.order",
        main: .init(
          source: "int outer(void);\n" + ModuleWorkshop.principal(body: "return outer() - 8;"),
          needed: ["liborder-outer.so", "liborder-inner.so"]),
        libraries: [
          .init(name: "liborder-inner.so", source: visible + "int inner(void) { return 7; }"),
          .init(
            name: "liborder-outer.so",
            source: "int inner(void);\n" + visible + "int outer(void) { return inner() + 1; }",
            needed: ["liborder-inner.so"]),
        ]))
    let code = try ModuleLoader().load(release) { _ in }
    #expect(
      code.images.map(\.path) == ["lib/liborder-inner.so", "lib/liborder-outer.so", "lib/com_example_order.so"])
  }

  @Test("what is mapped cannot be changed any more, by nobody")
  func sealed() throws {
    let workshop = try ModuleWorkshop()
    let release = try workshop.install(
      .init(identifier: "com.example.sealed", main: .init(source: ModuleWorkshop.principal())))
    let code = try ModuleLoader().load(release) { _ in }
    let name = try #require(code.images.first).name
    for flags in [O_RDWR, O_WRONLY, O_RDWR | O_TRUNC] {
      let file = open(name, flags)
      guard file >= 0 else {
        #expect(flags & O_TRUNC != 0 && errno == EPERM)
        continue
      }
      var byte: UInt8 = 0
      #expect(pwrite(file, &byte, 1, 0) == -1 && errno == EPERM)
      #expect(ftruncate(file, 0) == -1 && errno == EPERM)
      close(file)
    }
    let bytes = try Data(contentsOf: URL(filePath: name))
    #expect(bytes == FileManager.default.contents(atPath: release.path + "/lib/com_example_sealed.so"))
  }

  @Test("an entry that fails is not tried again, and what it has opened stays")
  func entryFails() throws {
    let workshop = try ModuleWorkshop()
    let release = try workshop.install(
      .init(
        identifier: "com.example.fails",
        main: .init(source: ModuleWorkshop.constructor("main") + ModuleWorkshop.principal())))
    let loader = ModuleLoader()
    var calls = 0
    for _ in 0..<2 {
      let error = expectError(.loaderFinal) {
        _ = try loader.load(release) { (_) throws(SignetError) in
          calls += 1
          throw SignetError(.loaderEntryFailed, "m", "fails")
        }
      }
      #expect((error?.cause as? SignetError)?.code == .loaderEntryFailed)
    }
    #expect(calls == 1)
    #expect(workshop.marks == ["main"])
    // Its code is there: whoever tells of a crash has to know whose it is.
    #expect(loader.images.map(\.path) == ["lib/com_example_fails.so"])
  }

  @Test("one release of a module is loaded at a time, and no module while another is being loaded")
  func otherRelease() throws {
    let workshop = try ModuleWorkshop()
    func module(_ sequence: Int) -> ModuleWorkshop.Module {
      .init(identifier: "com.example.releases", sequence: sequence, main: .init(source: ModuleWorkshop.principal()))
    }
    let first = try workshop.install(module(1))
    let second = try workshop.install(module(2))
    let loader = ModuleLoader()
    _ = try loader.load(first) { _ in
      expectError(.loaderReentered) { _ = try loader.load(second) { _ in } }
    }
    expectError(.loaderOtherRelease) { _ = try loader.load(second) { _ in } }
  }

  @Test("libraries of the host's list are opened for modules, under their own names alone")
  func hostLibraries() throws {
    let workshop = try ModuleWorkshop()
    let place = try TemporaryFolder()
    let visible = "__attribute__((visibility(\"default\"))) "
    try workshop.build(
      .init(name: "libof-host.so", source: visible + "int of_host(void) { return 3; }"), in: place.path,
      isBrought: true)
    let release = try workshop.install(
      .init(
        identifier: "com.example.guest",
        main: .init(
          source: "int of_host(void);\n" + ModuleWorkshop.principal(body: "return of_host() - 3;"),
          flags: [place.file("libof-host.so")]), declared: ["libc.so.6", "libof-host.so"]))
    expectError(.loaderLibraryMissing) { _ = try ModuleLoader().load(release) { _ in } }
    for path in ["libof-host.so", place.file("missing.so"), "/proc/self/exe"] {
      let loader = ModuleLoader(hostLibraries: ["libof-host.so": path])
      expectError(.loaderHostLibrary, "\(path)") { _ = try loader.load(release) { _ in } }
    }
    _ = try ModuleLoader(hostLibraries: ["libof-host.so": place.file("libof-host.so")]).load(release) { _ in }
  }

  @Test("versions of symbols have to be there, in a library that has versions", arguments: ["other", "none"])
  func versions(_ kind: String) throws {
    let workshop = try ModuleWorkshop()
    let (build, host) = (try TemporaryFolder(), try TemporaryFolder())
    let name = "libversioned-\(kind).so"
    let source = "__attribute__((visibility(\"default\"))) int versioned(void) { return 3; }"
    func make(_ place: TemporaryFolder, _ version: String?) throws {
      var flags: [String] = []
      if let version {
        try place.write("versions", Array("\(version) { global: versioned; };".utf8))
        flags = ["-Wl,--version-script=\(place.file("versions"))"]
      }
      try workshop.build(.init(name: name, source: source, flags: flags), in: place.path, isBrought: true)
    }
    try make(build, "NEW_2")
    let release = try workshop.install(
      .init(
        identifier: "com.example.version-\(kind)",
        main: .init(
          source: "int versioned(void);\n" + ModuleWorkshop.principal(body: "return versioned() - 3;"),
          flags: [build.file(name)]), declared: ["libc.so.6", name]))
    // glibc would end the process where the library has no versions at all.
    try make(host, kind == "other" ? "OLD_1" : nil)
    let loader = ModuleLoader(hostLibraries: [name: host.file(name)])
    expectError(.loaderVersionMissing) { _ = try loader.load(release) { _ in } }
  }
}
