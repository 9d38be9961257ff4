import Foundation
import ModuleStore
import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import PluginHost

#if os(Linux)
  @Suite(
    "what the loader cannot load", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct LoaderRefusalTests {
    private typealias Workshop = ModuleWorkshop

    private func module(_ name: String, source: String, principal: String = "m_main", flags: [String] = [])
      -> Workshop.Module
    {
      .init(
        identifier: "com.example.\(name)",
        main: .init(source: Workshop.constructor("main") + source, flags: flags), principal: principal)
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
    func refused() throws {
      let workshop = try Workshop()
      // More than any process has left for variables of threads that are there from the start.
      let room = "static __thread volatile char room[1 << 24] __attribute__((tls_model(\"initial-exec\")));\n"
      let release = try workshop.install(
        module("greedy", source: room + Workshop.principal(body: "return room[0];")).unchecked)
      let loader = ModuleLoader()
      for _ in 0..<2 {
        let error = expectError(.loaderFinal) { _ = try loader.load(release) { _ in } }
        #expect((error?.cause as? SignetError)?.code == .loaderOpenFailed)
      }
      #expect(workshop.marks.isEmpty && loader.images.isEmpty)
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
