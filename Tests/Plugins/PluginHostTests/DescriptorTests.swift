import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

#if os(Linux)
  /// What loaded modules take of the descriptors that a process may have.
  @Suite("descriptors", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct DescriptorTests {
    private typealias Workshop = ModuleWorkshop

    /// What the process has open, by what the system calls it.
    private static func descriptors() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }
    }

    @Test("a loaded module keeps one for each library, and its resources without any")
    func loaded() throws {
      let workshop = try Workshop()
      let visible = "__attribute__((visibility(\"default\"))) "
      try workshop.install(
        .init(
          identifier: "com.example.thrifty",
          main: .init(
            source: "int util(void);\n" + Workshop.principal(body: "return util();"), needed: ["libthrifty.so"]),
          libraries: [.init(name: "libthrifty.so", source: visible + "int util(void) { return 0; }")],
          members: ", \"resources\": [\"text\"]", files: ["text": "served"]))
      let host = try workshop.host()
      let module = try host.load(identifier("com.example.thrifty"))
      // Other tests load modules in this process meanwhile, whose names may begin as this one's does.
      func kept() throws -> [String] {
        try Self.descriptors().filter {
          $0.contains("com.example.thrifty@") || $0.contains(workshop.path + "/modules/")
            || $0.contains(workshop.folder.path) && $0.contains("com.example.thrifty")
        }
      }
      let copy = "/memfd:com.example.thrifty@1.0.1 (deleted)"
      let atFirst = try kept()
      #expect(atFirst == [copy, copy])
      #expect(try module.resource("text") == Array("served".utf8))
      let afterReading = try kept()
      #expect(afterReading == [copy, copy])
      // What was verified is what is read, whatever stands there by now.
      let path = module.release.path + "/text"
      try FileManager.default.removeItem(atPath: path)
      try Data("SERVED".utf8).write(to: URL(filePath: path))
      expectError(.digestMismatch) { _ = try module.resource("text") }
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/hostname")
      expectError(.fileMissing) { _ = try module.resource("text") }
      // Another directory with the same bytes serves as well, as after a repair.
      try FileManager.default.removeItem(atPath: path)
      try Data("served".utf8).write(to: URL(filePath: path))
      let files = module.release.path
      try FileManager.default.copyItem(atPath: files, toPath: files + ".new")
      try FileManager.default.removeItem(atPath: files)
      try FileManager.default.moveItem(atPath: files + ".new", toPath: files)
      #expect(try module.resource("text") == Array("served".utf8))
      // What is removed is set aside as long as the host runs.
      _ = try workshop.store().remove(identifier("com.example.thrifty"))
      #expect(!FileManager.default.fileExists(atPath: files))
      #expect(try module.resource("text") == Array("served".utf8))
      let afterRemoval = try kept()
      #expect(afterRemoval == [copy, copy])
      withExtendedLifetime(host) {}
    }

    @Test(
      "500 modules are loaded with 1024 descriptors, one each, and the host keeps its reserve",
      .slow, .timeLimit(.minutes(60)))
    func many() async {
      await #expect(processExitsWith: .exitCode(0)) {
        let workshop = try ModuleWorkshop()
        let library = try TemporaryFolder()
        try workshop.build(
          .init(name: "module.so", source: ModuleWorkshop.principal()), in: library.path, isBrought: false)
        for number in 0..<500 {
          try workshop.install(
            .init(
              identifier: "com.example.m\(number)", main: .init(source: "", prebuilt: library.file("module.so"))))
        }
        var limit = rlimit(rlim_cur: 1024, rlim_max: 1024)
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(1) }
        // What a host does when its trial ends is not what this is about.
        let host = try workshop.host { $0.trial = .seconds(36_000) }
        guard let budget = DescriptorBudget.now(), budget.limit == 1024, budget.reserve == 128 else { exit(2) }
        func others() throws -> [String] { try Self.descriptors().filter { !$0.hasPrefix("/memfd:com.example.m") } }
        let before = try others()
        guard await host.start().count == 500 else { exit(3) }
        // Each has one, and not one of them two.
        let copies = try Self.descriptors().filter { $0.hasPrefix("/memfd:com.example.m") }
        guard copies.count == 500, Set(copies).count == 500 else { exit(4) }
        // The host has its journal, and Dispatch what its timers take, now or in a moment. None of it is a module's.
        let after = try others()
        guard after.count < before.count + 50, !after.contains(where: { $0.contains("com.example.m") }) else {
          exit(5)
        }
        guard let left = DescriptorBudget.now(), left.free >= left.reserve else { exit(6) }
        // As many are really there, but for what the host itself opens or closes meanwhile.
        var opened = 0
        while open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0 { opened += 1 }
        guard opened >= left.reserve, abs(opened - left.free) < 50 else { exit(7) }
        exit(0)
      }
    }

    @Test(
      "the host is told when they become few, once, and a module that would take of the reserve is refused, and may be tried again"
    )
    func few() async {
      await #expect(processExitsWith: .exitCode(0)) {
        let workshop = try ModuleWorkshop()
        let library = try TemporaryFolder()
        try workshop.build(
          .init(name: "module.so", source: ModuleWorkshop.principal()), in: library.path, isBrought: false)
        for number in 0..<4 {
          try workshop.install(
            .init(
              identifier: "com.example.few\(number)", main: .init(source: "", prebuilt: library.file("module.so"))))
        }
        // Dispatch has opened what it takes for timers once one of them is over.
        await withCheckedContinuation { continuation in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) { continuation.resume() }
        }
        let host = try workshop.host { $0.trial = .seconds(36_000) }
        let told = Told()
        host.onEvent { if case .notice(let error) = $0 { told.codes.append(error.code.rawValue) } }
        let budget = try #require(DescriptorBudget.now())
        // Room for the first, and no warning yet: twice the reserve of 32. The host opens a journal.
        var limit = rlimit(rlim_cur: rlim_t(budget.used + 80), rlim_max: rlim_t(budget.limit))
        func set() -> Bool { setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 }
        guard set(), DescriptorBudget.now()?.reserve == 32 else { exit(1) }
        func load(_ number: Int) throws { _ = try host.load(identifier("com.example.few\(number)")) }
        try load(0)
        guard told.codes.isEmpty else { exit(2) }
        // Room for two more above the reserve.
        guard let used = DescriptorBudget.now()?.used else { exit(10) }
        limit.rlim_cur = rlim_t(used + 32 + 2)
        guard set() else { exit(3) }
        try load(1)
        try load(2)
        guard told.codes == ["loader.descriptors-low"] else { exit(4) }
        do {
          try load(3)
          exit(5)
        } catch {
          guard (error as? SignetError)?.code == .loaderDescriptors else { exit(6) }
        }
        guard let left = DescriptorBudget.now(), left.free >= left.reserve, host.images.count == 3 else { exit(7) }
        limit.rlim_cur = rlim_t(budget.used + 100)
        guard set() else { exit(8) }
        try load(3)
        exit(told.codes == ["loader.descriptors-low"] ? 0 : 9)
      }
    }

    private final class Told: @unchecked Sendable {
      // Events come on the thread that loads.
      var codes: [String] = []
    }
  }
#endif
