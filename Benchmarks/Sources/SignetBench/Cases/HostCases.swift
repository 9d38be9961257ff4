#if canImport(Glibc)
  internal import ModuleStore
  internal import PluginHost
  internal import PluginKit
  internal import Signet
  internal import SignetArchive
  internal import SignetCrypto

  /// Loading modules: one with much code, and a host with many.
  enum HostCases {
    /// Section 8 of the design: what is bare, and so many passes of SHA-256.
    private static let passes = 2.5
    /// Bytes of the large library.
    private static let size = 10 << 20
    private static let count = 50
    private static let pairs = 3
    private static let compilers = ["clang", "cc", "gcc"]

    static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
      guard let compiler = compilers.first(where: { (try? ChildProcess.run(Command($0, "--version"))) != nil }) else {
        StandardStream.error.write("note: no compiler; loading is left out\n")
        return []
      }
      let modules = try ModuleMaker(workshop.signet, compiler)
      return try [large(modules), many(modules)].map {
        try $0.run(rounds: options.rounds, of: pairs, patience: options.patience)
      }
    }

    /// The same release again and again: each loader copies, hashes and opens it anew, and never closes it.
    private static func large(_ modules: ModuleMaker) throws -> Comparison {
      let module = try modules.install(["com.example.large"], padding: size, into: "large.store")
      let store = try ModuleStore(opening: "large.store", policy: modules.policy, clock: .system)
      let release = try store.active(module[0])
      let bytes = try release.bytes(of: "lib/com_example_large.so")
      let bare = HashedLibrary(try workingFile(release.path + "/lib/com_example_large.so"), bytes)
      return Comparison(
        "verify and load a module of \(Text.size(bytes.count))",
        Contender("ModuleLoader.load", calls: 1, after: { UsedMemory.use(2 * size) }) {
          try ModuleLoader().load(release) { _ in }
        },
        against: Contender("dlopen, and \(passes) passes of SHA-256", calls: 1, after: { UsedMemory.use(2 * size) }) {
          try bare.open()
          try bare.hash(1)
          try bare.hash(1)
          try bare.hash(passes - 2)
        }, budget: 1, note: "the bare library is closed again each time; memory was used a moment before")
    }

    /// A host that finds 50 modules and loads them, each serving a route.
    private static func many(_ modules: ModuleMaker) throws -> Comparison {
      let names = (0..<count).map { "com.example.m\($0)" }
      let identifiers = try modules.install(names, padding: 4096, into: "many.store")
      let store = try ModuleStore(opening: "many.store", policy: modules.policy, clock: .system)
      let bare = try identifiers.map { identifier in
        let release = try store.active(identifier)
        let path = "lib/" + "\(identifier)".split(separator: ".").joined(separator: "_") + ".so"
        return HashedLibrary(try workingFile(release.path + "/" + path), try release.bytes(of: path))
      }
      let before = residentBytes()
      let kept = try PluginHost(policy: modules.policy, store: "many.store")
      kept.start()
      let memory = (residentBytes() - before) / count
      return Comparison(
        "start a host with \(count) modules",
        Contender("PluginHost.start", calls: 1) {
          let host = try PluginHost(policy: modules.policy, store: "many.store")
          guard host.start().count == count else { throw BenchFailure(message: "a module was refused") }
        },
        against: Contender("dlopen and SHA-256 of each", calls: 1) {
          for library in bare {
            try library.open()
            try library.hash(1)
          }
        }, budget: nil,
        note:
          "\(memory >> 10) KiB of memory a module; bundles, files and floors of all modules are verified; the bare libraries are closed again"
      )
    }

    /// What the process has in memory, as the system counts it (proc(5), statm).
    private static func residentBytes() -> Int {
      let text = TextFile.content(of: "/proc/self/statm") ?? ""
      let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      return pages * 4096
    }

    /// The dynamic linker looks for a name without a slash in folders.
    private static func workingFile(_ path: String) throws -> String { path.first == "/" ? path : "./" + path }
  }

  /// Makes, signs and installs modules of C.
  private struct ModuleMaker {
    let policy: TrustPolicy
    private let signet: String
    private let compiler: String
    private static let key = "host.key"

    init(_ signet: String, _ compiler: String) throws {
      self.signet = signet
      self.compiler = compiler
      try Self.run(Command(signet, "keygen", "--no-passphrase", "--out", Self.key))
      let file = try RegularFile(opening: Self.key + ".pub")
      let key = try PublicKey(file: SecretBytes(file.bytes(in: 0..<file.size)))
      policy = try TrustPolicy(trusting: [key])
    }

    /// - Parameter padding: bytes of data in each library.
    func install(_ names: [String], padding: Int, into place: String) throws -> [ModuleIdentifier] {
      let store = try ModuleStore(creating: place, policy: policy, clock: .system)
      return try names.map { name in
        let folder = name + ".module"
        try TestDirectory.makeFolder(folder)
        try TestDirectory.makeFolder(folder + "/lib")
        let file = name.split(separator: ".").joined(separator: "_") + ".so"
        let path = name.split(separator: ".").last.map(String.init) ?? name
        try TextFile.write(Self.source(padding, route: "ui://\(path)"), to: name + ".c")
        try Self.run(
          Command(
            compiler, "-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-Wl,--build-id=sha1", "-Wl,-z,now",
            "-Wl,-z,noexecstack", "-o", "\(folder)/lib/\(file)", name + ".c"))
        try TextFile.write(
          """
          {"identifier": "\(name)", "version": "1.0.0", "sequence": 1, "principal": "bench_main",
           "routes": ["ui://\(path)"],
           "binary": {"\(Self.platform)": {"path": "lib/\(file)", "needed": ["libc.so.6"], "libraries": []}}}
          """, to: "\(folder)/module.json")
        try Self.run(Command(signet, "pack", folder, "--out", name + ".zip"))
        try Self.run(Command(signet, "sign", name + ".zip", "--key", Self.key))
        let verdict = try Verifier(policy: policy, clock: .system).verify(
          .file(RegularFile(opening: name + ".zip")), signatures: .beside(name + ".zip"),
          expecting: .module(nil, named: name))
        return try store.install(verdict.get()).module.identifier
      }
    }

    #if arch(arm64)
      private static let platform = "linux-aarch64"
    #else
      private static let platform = "linux-x86_64"
    #endif

    /// The entry of the header `signet_plugin.h`, as far as it is needed here.
    private static func source(_ padding: Int, route: String) -> String {
      """
      #include <stdint.h>
      #include <stddef.h>
      struct text { const char *bytes; size_t count; };
      struct host {
        uint32_t size, version; void *context; const void *kit;
        int32_t (*route)(void *, struct text, int64_t, uint32_t, void (*)(void *, const void *, uint64_t), void *, void *);
      };
      struct plugin { uint32_t size, version; void *user; int32_t (*did_load)(void *, const struct host *); };
      const volatile char padding[\(padding)] = {1};
      static void show(void *user, const void *request, uint64_t reply) {}
      static int32_t did_load(void *user, const struct host *host) {
        struct text route = {"\(route)", sizeof "\(route)" - 1};
        return host->route(host->context, route, 0, 0, show, NULL, NULL);
      }
      __attribute__((visibility("protected"))) int32_t bench_main(const struct host *host, struct plugin *plugin) {
        plugin->size = sizeof *plugin;
        plugin->version = 1;
        plugin->did_load = did_load;
        return 0;
      }
      """
    }

    private static func run(_ command: Command) throws { _ = try ChildProcess.run(command) }
  }
#endif
