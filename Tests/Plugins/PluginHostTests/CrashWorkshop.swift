import SignetSystem

@testable import HostTestSupport

#if os(Linux)
  import Foundation
  import PluginKit
  import Signet
  import SignetCrypto
  import TestSupport
  import Testing

  @testable import ModuleStore
  @testable import PluginHost

  /// Modules that crash, and hosts in processes of their own that load them.
  struct CrashWorkshop {
    let workshop: ModuleWorkshop

    init() throws { workshop = try ModuleWorkshop() }

    /// What a host in a process of its own does after its start.
    enum Ending: Int, Codable {
      case exits, waits, isWellAndAborts, aborts, letsGoAndWaits
      /// It waits until nothing is held back, and every trial is over.
      case settles
      /// The same, with short trials.
      case settlesQuickly
      /// It says that it is well as soon as it has started, does what follows from that, and waits.
      case isWellAndWaits
      /// It waits until the process is ended from somewhere else. Meanwhile trials pass.
      case waitsForAll
      /// A thread of libc ends it, after it has said so, or without a word.
      case announcesAndLeaves, leaves
    }

    /// Trials that are over before the host ends.
    private static let trials: [Ending: Duration] = [
      .settles: .milliseconds(700), .waitsForAll: .milliseconds(700), .settlesQuickly: .milliseconds(20),
    ]

    /// The store of a workshop in another process.
    static func store(_ path: String, _ key: String) throws -> ModuleStore {
      try ModuleStore(opening: path, policy: policy(key), clock: .fixed(ModuleWorkshop.time))
    }

    private static func policy(_ key: String) throws -> TrustPolicy {
      try TrustPolicy(
        entries: [TrustEntry("key", .key(PublicKey(file: SecretBytes(Array(key.utf8)))), scope: .everything)],
        terms: TrustPolicy.Terms())
    }

    /// A host in a process of its own that loads everything. Its status tells how many modules it has loaded.
    private static func start(_ store: String, _ key: String, _ ending: Ending) throws {
      let policy = try policy(key)
      var configuration = PluginHost.Configuration()
      configuration.clock = .fixed(ModuleWorkshop.time)
      configuration.trial = Self.trials[ending] ?? .seconds(3600)
      // What modules' threads do, they do once there is this file: the order is that of the test on the slowest machine, too.
      let mark = store + "/../marks/started"
      unlink(mark)
      func letThreadsGoOn() {
        _ = FileManager.default.createFile(atPath: mark, contents: nil)
        // Ends a host that nothing else ends.
        sleep(3600)
      }
      if ending == .letsGoAndWaits {
        try PluginHost(policy: policy, store: store, configuration: configuration).start()
        letThreadsGoOn()
        exit(0)
      }
      let host = try PluginHost(policy: policy, store: store, configuration: configuration)
      host.start()
      /// Waits for what is being loaded, and tells whether nothing is on trial or waits then. Both are looked at within a turn of loading:
      /// what is taken out of the row to be loaded is on trial before the turn ends.
      func hasSettled() -> Bool {
        let (turn, settled) = (DispatchSemaphore(value: 0), Monitor(false))
        host.context.loading.begin {
          settled.withLock { $0 = !host.context.trial.isOpen && !host.context.heldBack.withLock(\.isWaiting) }
          turn.signal()
        }
        turn.wait()
        return settled.withLock(\.self)
      }
      switch ending {
      case .exits: break
      case .waits, .waitsForAll: letThreadsGoOn()
      case .isWellAndWaits:
        host.markHealthy()
        _ = hasSettled()
        letThreadsGoOn()
      case .settles, .settlesQuickly:
        while !hasSettled() { usleep(10_000) }
      case .isWellAndAborts:
        host.markHealthy()
        abort()
      case .announcesAndLeaves, .leaves:
        if ending == .announcesAndLeaves { PluginHost.willExit() }
        typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
        let leave = unsafeBitCast(dlsym(nil, "exit"), to: Body.self)
        var thread = pthread_t()
        pthread_create(&thread, nil, leave, UnsafeMutableRawPointer(bitPattern: 5))
        while true { sleep(1) }
      case .aborts, .letsGoAndWaits: abort()
      }
      exit(Int32(host.modules.values.count { $0 == .loaded }))
    }

    func expectStart(
      _ condition: ExitTest.Condition, _ ending: Ending = .exits, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
      let (store, key, number) = (workshop.path, workshop.key.publicKey.pem, ending.rawValue)
      await #expect(processExitsWith: condition, sourceLocation: sourceLocation) {
        [store = store as String, key = key as String, number = number as Int] in
        try Self.start(store, key, #require(Ending(rawValue: number)))
      }
    }

    /// Makes a file that modules look for.
    func mark(_ name: String) {
      #expect(FileManager.default.createFile(atPath: workshop.folder.file("marks/" + name), contents: nil))
    }

    /// A module whose entry does this, with a page of its own.
    func module(_ sequence: Int, _ body: String, _ identifier: String = "com.example.crash")
      -> ModuleWorkshop.Module
    {
      .init(
        identifier: identifier, sequence: sequence,
        main: .init(
          source: """
            #include <fcntl.h>
            #include <stdlib.h>
            #include <sys/stat.h>
            #include <unistd.h>
            #include <pthread.h>
            typedef void *work(void *);
            static void wait_for_mark(const char *mark) { while (access(mark, F_OK) != 0) usleep(1000); }
            __attribute__((unused)) static void *trap(void *user) { wait_for_mark(MARKS "/started"); abort(); }
            __attribute__((unused)) static void *leave(void *user) { wait_for_mark(MARKS "/started"); exit(3); }
            __attribute__((unused)) static void begin(work *body) {
              pthread_t thread;
              pthread_create(&thread, NULL, body, NULL);
            }

            """ + ModuleWorkshop.principal(body: body)), members: ", \"routes\": [\"ui://\(identifier)\"]")
    }

    static let sound = "return SIGNET_OK;"
    static let crashing = "abort();"
    /// It crashes once the host has started, and has said what it says.
    static let crashingLater = "begin(trap); return SIGNET_OK;"

    func journals() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: workshop.path + "/loading")
    }

    /// The modules of which the next start loads each alone, the most likely first.
    func heldBack() throws -> [String] {
      let store = try workshop.store()
      #expect(store.countCrashes().failure == nil)
      return try store.heldBack(among: store.listed()).joined().map(\.description)
    }

    static func requires(_ module: String) -> String {
      ", \"requires\": {\"modules\": [{\"identifier\": \"\(module)\", \"versions\": \">=1.0.0\"}]}"
    }
  }
#endif
