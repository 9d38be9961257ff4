import SignetSystem

#if canImport(Glibc)
  internal import ModuleStore
  internal import Signet
  internal import SignetCrypto

  /// Makes, signs and installs modules of C.
  final class ModuleMaker {
    /// Trusts the key that signs them.
    let policy: TrustPolicy
    private let signet: String
    private let compiler: String
    /// The stores that are made, and what is in them.
    private var stores: [String: [ModuleIdentifier]] = [:]
    private static let key = "host.key"
    /// The file of the public key.
    static let publicKey = key + ".pub"
    private static let compilers = ["clang", "cc", "gcc"]

    /// What a module is, beside code that serves one route.
    struct Plan {
      /// Its identifier.
      let name: String
      /// Bytes of data in its library.
      var padding = 4096
      /// The identifier of a module that it requires; nil for none.
      var requirement: String?
    }

    /// Nil where there is no compiler.
    init?(_ signet: String) throws {
      guard let compiler = Self.compilers.first(where: { (try? Self.run(Command($0, "--version"))) != nil }) else {
        return nil
      }
      self.signet = signet
      self.compiler = compiler
      // One key for all of them: what one maker has made, another one finds.
      if TextFile.content(of: Self.publicKey) == nil {
        try Self.run(Command(signet, "keygen", "--no-passphrase", "--out", Self.key))
      }
      let file = try RegularFile(opening: Self.publicKey)
      let key = try PublicKey(file: SecretBytes(file.bytes(in: 0..<file.size)))
      policy = try TrustPolicy(trusting: [key])
    }

    /// Makes modules and a store with them, where that was not done before.
    ///
    /// - Returns: the modules in the store, in the order they were planned in.
    @discardableResult
    func install(_ plans: [Plan], into place: String) throws -> [ModuleIdentifier] {
      if let known = stores[place] { return known }
      StandardStream.error.write("making a store with \(plans.count) modules\n")
      let store = try ModuleStore(creating: place, policy: policy, clock: .system)
      let modules = try plans.map { plan in
        let archive = plan.name + ".zip"
        if TextFile.content(of: archive) == nil { try make(plan, archive) }
        let verdict = try Verifier(policy: policy, clock: .system).verify(
          .file(RegularFile(opening: archive)), signatures: .beside(archive),
          expecting: .module(nil, named: plan.name))
        return try store.install(verdict.get()).module.identifier
      }
      stores[place] = modules
      return modules
    }

    private func make(_ plan: Plan, _ archive: String) throws {
      let folder = plan.name + ".module"
      try TestDirectory.makeFolder(folder)
      try TestDirectory.makeFolder(folder + "/lib")
      let route = "ui://\(plan.name.split(separator: ".").last ?? "")"
      let library = Self.library(plan.name)
      try TextFile.write(Self.source(plan.padding, route: route), to: plan.name + ".c")
      try Self.run(
        Command(
          compiler, "-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-Wl,--build-id=sha1", "-Wl,-z,now",
          "-Wl,-z,noexecstack", "-o", "\(folder)/\(library)", plan.name + ".c"))
      let requires = plan.requirement.map {
        ", \"requires\": {\"modules\": [{\"identifier\": \"\($0)\", \"versions\": \">=1.0.0\"}]}"
      }
      try TextFile.write(
        """
        {"identifier": "\(plan.name)", "version": "1.0.0", "sequence": 1, "principal": "bench_main",
         "routes": ["\(route)"]\(requires ?? ""),
         "binary": {"\(Self.platform)": {"path": "\(library)", "needed": ["libc.so.6"], "libraries": []}}}
        """, to: "\(folder)/module.json")
      try Self.run(Command(signet, "pack", folder, "--out", archive))
      try Self.run(Command(signet, "sign", archive, "--key", Self.key))
    }

    /// Where a module has its library.
    static func library(_ name: String) -> String {
      "lib/" + name.split(separator: ".").joined(separator: "_") + ".so"
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
