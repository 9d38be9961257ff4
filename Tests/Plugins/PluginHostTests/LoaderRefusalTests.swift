import Foundation
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import SignetELF
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

#if os(Linux)
  @Suite(
    "what the loader cannot load", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct LoaderRefusalTests {
    private typealias Workshop = ModuleWorkshop

    private func module(
      _ name: String, source: String, principal: String = "m_main", flags: [String] = [],
      declared: [String] = ["libc.so.6"]
    ) -> Workshop.Module {
      .init(
        identifier: "com.example.\(name)",
        main: .init(source: Workshop.constructor("main") + source, flags: flags), declared: declared,
        principal: principal)
    }

    @Test("a release for another platform is not for this one, and may be tried again")
    func platform() throws {
      let workshop = try Workshop()
      var other = module("elsewhere", source: Workshop.principal()).unchecked
      other.platform = Workshop.platform == "linux-x86_64" ? "linux-aarch64" : "linux-x86_64"
      let release = try workshop.install(other)
      let loader = ModuleLoader()
      for _ in 0..<2 {
        let error = expectError(.loaderPlatform) { _ = try loader.load(release) { _ in } }
        #expect(error?.expected == Workshop.platform)
        #expect(error?.found == other.platform)
      }
      #expect(workshop.marks.isEmpty && loader.images.isEmpty)
    }

    @Test("what the dynamic linker refuses after all is final, and nothing of it ran")
    func refused() async {
      // In a process of its own, which gets no more memory.
      await #expect(processExitsWith: .exitCode(0)) {
        let workshop = try ModuleWorkshop()
        let room = "static volatile char room[1 << 30];\n"
        let release = try workshop.install(
          .init(
            identifier: "com.example.greedy",
            main: .init(
              source: room + ModuleWorkshop.constructor("main") + ModuleWorkshop.principal(body: "return room[0];"))))
        let loader = ModuleLoader()
        // What it has by now, in pages, and a quarter of what the module wants.
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ").first
        let size = rlim_t(pages ?? "").map { $0 * rlim_t(ProcessMemory.pageSize) } ?? 0
        var limit = rlimit(rlim_cur: size + (1 << 28), rlim_max: rlim_t.max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { exit(1) }
        for _ in 0..<2 {
          do throws(SignetError) {
            try loader.load(release) { _ in }
            exit(2)
          } catch {
            guard error.code == .loaderFinal, (error.cause as? SignetError)?.code == .loaderOpenFailed else {
              exit(3)
            }
          }
        }
        exit(workshop.marks.isEmpty && loader.images.isEmpty ? 0 : 4)
      }
    }

    @Test(
      "room for variables of threads that a process sets aside once is nobody's: told when packing, and before anything runs"
    )
    func staticThreadVariables() throws {
      let workshop = try Workshop()
      let room = "static __thread volatile char room[400] __attribute__((tls_model(\"initial-exec\")));\n"
      let brought = Workshop.Library(
        name: "libgreedy.so", source: Workshop.constructor("brought") + Self.visible + "int util(void) { return 0; }")
      let greedy = Workshop.Module(
        identifier: "com.example.greedy",
        main: .init(
          source: "int util(void);\n" + room + Workshop.principal(body: "return util() + room[0];"),
          needed: ["libgreedy.so"]),
        libraries: [brought])
      expectError(.elfStaticTLS) { _ = try workshop.archive(greedy) }
      let release = try workshop.install(greedy.unchecked)
      let loader = ModuleLoader()
      for _ in 0..<2 { expectError(.elfStaticTLS) { _ = try loader.load(release) { _ in } } }
      #expect(workshop.marks.isEmpty && loader.images.isEmpty)
      // What is found when it is used is taken, as often as there are modules.
      for number in 0..<5 {
        let release = try workshop.install(
          module(
            "frugal\(number)",
            source: "static __thread volatile char room[400];\n" + Workshop.principal(body: "return room[0];"),
            declared: ["libc.so.6", Workshop.linker]))
        _ = try loader.load(release) { _ in }
      }
      #expect(loader.images.count == 5)
    }

    private static let visible = "__attribute__((visibility(\"default\"))) "

    @Test("a variable of threads that is something else where it comes from is missing")
    func threadVariables() throws {
      let workshop = try Workshop()
      func module(_ name: String, _ definition: String) -> Workshop.Module {
        .init(
          identifier: "com.example.\(name)",
          main: .init(
            source: "extern __thread int shared_\(name);\n" + Workshop.principal(body: "return shared_\(name);"),
            needed: ["lib\(name).so"]),
          libraries: [
            .init(
              name: "lib\(name).so",
              source: Workshop.constructor("brought") + Self.visible + "\(definition) shared_\(name);")
          ], declared: ["libc.so.6", Workshop.linker])
      }
      // A compiler does not take a variable for two things; the linker that makes the binary sees the one, the archive has the other.
      let place = try TemporaryFolder()
      var bent = module("bent", "__thread int")
      try workshop.build(
        .init(
          name: "libother.so", source: Workshop.constructor("brought") + Self.visible + "int shared_bent;",
          flags: ["-Wl,-soname,libbent.so"]),
        in: place.path, isBrought: false)
      bent.libraries[0].replacement = place.file("libother.so")
      let release = try workshop.install(bent)
      expectError(.loaderSymbolMissing) { _ = try ModuleLoader().load(release) { _ in } }
      #expect(workshop.marks.isEmpty)
      _ = try ModuleLoader().load(workshop.install(module("sound", "__thread int"))) { _ in }
      #expect(workshop.marks == ["brought"])
    }

    @Test("a library for smaller pages than the system has is not for it")
    func pages() throws {
      let workshop = try Workshop()
      let release = try workshop.install(
        module("pages", source: Workshop.principal(), flags: ["-Wl,-z,max-page-size=16384"]))
      _ = try PreparedModule(release, reserved: [], pageSize: 16384)
      let error = expectError(.loaderPlatform) { _ = try PreparedModule(release, reserved: [], pageSize: 65536) }
      #expect(error?.object == "lib/com_example_pages.so")
      #expect(workshop.marks.isEmpty)
    }

    @Test("a principal that only its own library can see under that name is not mistaken for libc's")
    func principal() throws {
      let workshop = try Workshop()
      let folder = try TemporaryFolder()
      try folder.write("versions", Array("OLD { global: getpid; local: *; };\n".utf8))
      let release = try workshop.install(
        module(
          "masked",
          source: Workshop.principal("masked_main") + "\n__asm__(\".symver masked_main,getpid@OLD\");\n",
          principal: "getpid", flags: ["-Wl,--version-script=\(folder.file("versions"))"]
        ).unchecked)
      let loader = ModuleLoader()
      var entered = 0
      let error = expectError(.loaderFinal) { _ = try loader.load(release) { _ in entered += 1 } }
      #expect((error?.cause as? SignetError)?.code == .loaderPrincipal)
      #expect(entered == 0)
    }

    @Test("where every number is one that the dynamic linker knows another library by, nothing is loaded")
    func handles() async {
      // In a process of its own: the numbers belong to whoever comes first.
      await #expect(processExitsWith: .exitCode(0)) {
        let workshop = try ModuleWorkshop()
        let place = try TemporaryFolder()
        try workshop.build(.init(name: "libother.so", source: "int other = 1;"), in: place.path, isBrought: true)
        let file = open(place.file("libother.so"), O_RDONLY)
        for number in Int32(512)..<900 where fcntl(number, F_GETFD) < 0 {
          guard dup2(file, number) == number, dlopen("/proc/self/fd/\(number)", RTLD_NOW | RTLD_LOCAL) != nil else {
            exit(1)
          }
          close(number)
        }
        let release = try workshop.install(
          .init(
            identifier: "com.example.reused",
            main: .init(source: ModuleWorkshop.constructor("main") + ModuleWorkshop.principal())))
        let loader = ModuleLoader()
        for _ in 0..<2 {
          do {
            _ = try loader.load(release) { _ in }
            exit(2)
          } catch {
            guard (error as? SignetError)?.code == .loaderHandleReused else { exit(3) }
          }
        }
        exit(workshop.marks.isEmpty && loader.images.isEmpty ? 0 : 4)
      }
    }
  }
#endif
