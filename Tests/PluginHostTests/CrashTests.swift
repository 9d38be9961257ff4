#if os(Linux)
  import Foundation
  import ModuleStore
  import PluginKit
  import Signet
  import SignetCrypto
  import TestSupport
  import Testing

  @testable import PluginHost

  @Suite("crashes while loading", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct CrashTests {
    private typealias Workshop = ModuleWorkshop

    /// A host in a process of its own that loads everything.
    private static func start(_ store: String, _ key: String) throws {
      let policy = try TrustPolicy(
        entries: [TrustEntry("key", .key(PublicKey(file: SecretBytes(Array(key.utf8)))), scope: .everything)],
        terms: TrustPolicy.Terms())
      var configuration = PluginHost.Configuration()
      configuration.clock = .fixed(Workshop.time)
      let host = try PluginHost(policy: policy, store: store, configuration: configuration)
      host.start()
      exit(host.modules.values.contains(.loaded) ? 0 : 7)
    }

    @Test(
      "a release that crashes twice while it is loaded gives way to the one before; a crash of another does not count"
    )
    func fallback() async throws {
      let workshop = try Workshop()
      func module(_ sequence: Int, _ body: String) -> Workshop.Module {
        .init(
          identifier: "com.example.crash", sequence: sequence,
          main: .init(source: "void abort(void);\n" + Workshop.principal(body: body)))
      }
      try workshop.install(module(1, "return SIGNET_OK;"))
      try workshop.install(module(2, "abort();"))
      let store = workshop.path
      let key = workshop.key.publicKey.pem
      let crash = try identifier("com.example.crash")
      for count in 1...2 {
        await #expect(processExitsWith: .signal(SIGABRT)) { [store = store as String, key = key as String] in
          try Self.start(store, key)
        }
        #expect(try workshop.store().active(crash).sequence == 2, "after \(count)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: store + "/loading").count == 1)
      }
      await #expect(processExitsWith: .exitCode(0)) { [store = store as String, key = key as String] in
        try Self.start(store, key)
      }
      #expect(try workshop.store().active(crash).sequence == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: store + "/loading").isEmpty)
      // A later release is another matter.
      try workshop.install(module(3, "return SIGNET_OK;"))
      let host = try workshop.host()
      #expect(host.start().map(\.sequence) == [3])
    }

    @Test("a module that is refused in order is no crash, and neither is one that another process is just loading")
    func noCrash() async throws {
      let workshop = try Workshop()
      let release = try workshop.install(
        .init(
          identifier: "com.example.orderly",
          main: .init(source: Workshop.principal(body: "return SIGNET_ERROR_FAILED;"))))
      let (store, key) = (workshop.path, workshop.key.publicKey.pem)
      for _ in 0..<3 {
        await #expect(processExitsWith: .exitCode(7)) { [store = store as String, key = key as String] in
          try Self.start(store, key)
        }
      }
      let installed = try workshop.store()
      let other = try workshop.store()
      let found = try installed.noting(loadOf: release) { () throws(SignetError) in try other.crashes() }
      #expect(found.isEmpty)
      #expect(try installed.crashes().isEmpty)
      #expect(!(try String(contentsOfFile: store + "/state.json", encoding: .utf8)).contains("crashes"))
    }

    @Test("notes that nobody can read are taken away, and count for nothing")
    func damagedNotes() throws {
      let workshop = try Workshop()
      let store = try workshop.store()
      let folder = store.path + "/loading"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, text) in [
        ("a", ""), ("b", "no identifier"), ("c", "com.example.x 1"), ("d", "com.example.x 99999999999999999999"),
        ("e", String(repeating: "x", count: 100_000)), ("f", "com.example.x\u{0} 1"),
      ] { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
      #expect(try store.crashes().isEmpty)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }
#endif
