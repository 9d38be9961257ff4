import SignetBase

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

  /// Crashes that several modules may have caused. Each is that of a real process.
  @Suite(
    "crashes with several suspects", .slow, .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct SuspectTests {
    private let hosts: CrashWorkshop
    private let crash: ModuleIdentifier
    private var workshop: ModuleWorkshop { hosts.workshop }

    init() throws {
      hosts = try CrashWorkshop()
      crash = try identifier("com.example.crash")
    }

    @Test("a release that crashes some time after it was loaded is set aside, and those beside it are not")
    func later() async throws {
      let sound = ["com.example.a", "com.example.b", "com.example.z"]
      for name in sound { try workshop.install(hosts.module(1, CrashWorkshop.sound, name)) }
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      await hosts.expectStart(.exitCode(4))
      try workshop.install(hosts.module(2, CrashWorkshop.crashingLater))
      // All four may have been it. The three that have run well before are trusted once more; the new one is loaded alone after them.
      await hosts.expectStart(.signal(SIGABRT), .waits)
      #expect(try hosts.heldBack() == ["com.example.crash"])
      await hosts.expectStart(.signal(SIGABRT), .waitsForAll)
      await hosts.expectStart(.exitCode(4), .settles)
      let host = try workshop.host()
      #expect(
        await host.start().map { "\($0.module.identifier) \($0.sequence)" }.sorted() == [
          "com.example.a 1", "com.example.b 1", "com.example.crash 1", "com.example.z 1",
        ])
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [2])
      for name in sound { #expect(try workshop.store().setAside(identifier(name)).isEmpty) }
    }

    @Test("where none has run well before each is loaded alone, and the one that crashes is set aside")
    func noneIsKnown() async throws {
      // It comes between the others.
      for name in ["com.example.a", "com.example.z"] {
        try workshop.install(hosts.module(1, CrashWorkshop.sound, name))
      }
      try workshop.install(hosts.module(1, CrashWorkshop.crashingLater))
      await hosts.expectStart(.signal(SIGABRT), .waits)
      #expect(try hosts.heldBack() == ["com.example.a", "com.example.crash", "com.example.z"])
      // The first one is loaded with the start, and the others once it has passed.
      await hosts.expectStart(.signal(SIGABRT), .waitsForAll)
      await hosts.expectStart(.exitCode(2))
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [1])
      #expect(try hosts.heldBack().isEmpty)
    }

    @Test("a crash of one module while another is loaded is not attributed to that one")
    func whileAnother() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.crashingLater, "com.example.a"))
      // The other one crashes while this one is being loaded.
      let body = """
        close(creat(MARKS "/started", 0644));
        if (access(MARKS "/calm", F_OK) != 0) sleep(3600);
        return SIGNET_OK;
        """
      try workshop.install(hosts.module(1, body))
      await hosts.expectStart(.signal(SIGABRT), .waits)
      hosts.mark("calm")
      // What was being loaded is the more likely one, and comes first.
      #expect(try hosts.heldBack() == ["com.example.crash", "com.example.a"])
      await hosts.expectStart(.signal(SIGABRT), .waitsForAll)
      await hosts.expectStart(.exitCode(1))
      #expect(try workshop.store().setAside(identifier("com.example.a")).map(\.sequence) == [1])
      #expect(try workshop.store().setAside(crash).isEmpty)
    }

    @Test("a module that fails in order, and crashes the process then, is found")
    func failsAndCrashes() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound, "com.example.a"))
      await hosts.expectStart(.exitCode(1))
      try workshop.install(hosts.module(1, "begin(trap); return SIGNET_ERROR_FAILED;"))
      for _ in 1...2 { await hosts.expectStart(.signal(SIGABRT), .waitsForAll) }
      await hosts.expectStart(.exitCode(1))
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [1])
    }

    @Test("a suspect that another module requires is loaded alone all the same")
    func required() async throws {
      var dependent = hosts.module(1, CrashWorkshop.sound, "com.example.a")
      dependent.members += CrashWorkshop.requires("com.example.crash")
      try workshop.install(dependent)
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      try workshop.install(hosts.module(1, CrashWorkshop.sound, "com.example.z"))
      await hosts.expectStart(.exitCode(3))
      try workshop.install(hosts.module(2, CrashWorkshop.crashingLater))
      await hosts.expectStart(.signal(SIGABRT), .waits)
      #expect(try hosts.heldBack() == ["com.example.crash"])
      // Of the others one is there at once, and what requires the suspect is not.
      await hosts.expectStart(.exitCode(1))
      await hosts.expectStart(.signal(SIGABRT), .waitsForAll)
      await hosts.expectStart(.exitCode(3), .settles)
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [2])
      for name in ["com.example.a", "com.example.z"] {
        #expect(try workshop.store().setAside(identifier(name)).isEmpty)
      }
    }

    @Test("a host that says too early that it is well has no sound module set aside")
    func wellTooEarly() async throws {
      // It has run well before, and crashes from some day on.
      let body = "if (access(MARKS \"/bad\", F_OK) == 0) begin(trap); return SIGNET_OK;"
      try workshop.install(hosts.module(1, body, "com.example.a"))
      await hosts.expectStart(.exitCode(1))
      try workshop.install(hosts.module(1, CrashWorkshop.sound, "com.example.new"))
      hosts.mark("bad")
      await hosts.expectStart(.signal(SIGABRT), .waits)
      #expect(try hosts.heldBack() == ["com.example.new"])
      for _ in 1...2 { await hosts.expectStart(.signal(SIGABRT), .isWellAndWaits) }
      #expect(try workshop.store().setAside(identifier("com.example.new")).isEmpty)
    }

    @Test("what was left out and is asked for later has its turn")
    func leftOutAndAsked() async throws {
      for name in ["com.example.a", "com.example.b"] {
        try workshop.install(hosts.module(1, CrashWorkshop.sound, name))
      }
      await hosts.expectStart(.signal(SIGABRT), .aborts)
      let host = try workshop.host { $0.trial = .seconds(3600) }
      let b = try identifier("com.example.b")
      #expect(await host.start(without: [b]).count == 1)
      #expect(host.reason(of: b)?.code == .hostLeftOut)
      #expect(host.context.heldBack.withLock { $0.leftOut == [b] && !$0.isWaiting })
      func load() { expectError(.hostHeldBack) { _ = try host.load(b) } }
      load()
      #expect(host.context.heldBack.withLock { $0.leftOut.isEmpty && $0.isWaiting })
    }

    @Test("of very many suspects a few are loaded together, and none is lost")
    func veryMany() async throws {
      for number in 10..<24 { try workshop.install(hosts.module(1, CrashWorkshop.sound, "com.example.m\(number)")) }
      await hosts.expectStart(.signal(SIGABRT), .aborts)
      #expect(try hosts.heldBack().count == 14)
      await hosts.expectStart(.exitCode(14), .settlesQuickly)
      #expect(try hosts.heldBack().isEmpty)
    }

    /// Installs three sound modules, of which the third requires the second.
    private func installThree() throws {
      for name in ["com.example.a", "com.example.b"] {
        try workshop.install(hosts.module(1, CrashWorkshop.sound, name))
      }
      var dependent = hosts.module(1, CrashWorkshop.sound, "com.example.c")
      dependent.members += CrashWorkshop.requires("com.example.b")
      try workshop.install(dependent)
    }

    @Test("what is held back says so, and so does what requires it; asking for it changes nothing")
    func heldBackModules() async throws {
      try installThree()
      await hosts.expectStart(.signal(SIGABRT), .aborts)
      let host = try workshop.host { $0.trial = .seconds(3600) }
      let (a, b, c) = (
        try identifier("com.example.a"), try identifier("com.example.b"), try identifier("com.example.c")
      )
      #expect(await host.start().map(\.module.identifier) == [a])
      #expect(host.reason(of: b)?.code == .hostHeldBack)
      #expect(host.reason(of: b)?.object == "com.example.b 1")
      #expect(host.reason(of: c)?.code == .hostRequirement)
      expectRoute(.routeModuleRefused, "ui://com.example.b", of: host)
      // It is installed, and there soon.
      let version = try #require(SemanticVersion("1.0.1"))
      #expect(host.availability(of: b, version: version) == .installed(version))
      #expect(host.isInstalled(b))
      // Asking for it changes nothing.
      func load() -> SignetError? { expectError(.hostHeldBack) { _ = try host.load(b) } }
      #expect(load()?.expected == "no other module on trial")
      // Whatever the host says, what is looked at alone stays on trial for the whole time, and what waits for it waits.
      await host.markHealthy()
      #expect(host.context.trial.isOpen)
      #expect(host.status(of: b) == .refused)
    }

    @Test("once nothing is on trial, what was held back is loaded, with what requires it")
    func heldBackInTheEnd() async throws {
      try installThree()
      await hosts.expectStart(.signal(SIGABRT), .aborts)
      await hosts.expectStart(.exitCode(3), .settles)
      #expect(try hosts.heldBack().isEmpty)
      // Somebody who knows better can say so.
      await hosts.expectStart(.signal(SIGABRT), .aborts)
      await hosts.expectStart(.signal(SIGABRT), .aborts)
      // They have passed alone, so they are taken to crash the process only together. Each crash divides them.
      #expect(try hosts.heldBack() == ["com.example.c", "com.example.b"])
      for name in try hosts.heldBack() { #expect(try workshop.store().retry(identifier(name)) == [1]) }
      #expect(try await workshop.host().start().count == 3)
    }

    @Test("a module whose thread ends the process in order has crashed it, and a host that ends so has not")
    func exits() async throws {
      try workshop.install(hosts.module(1, "begin(leave); return SIGNET_OK;"))
      for _ in 1...2 { await hosts.expectStart(.exitCode(3), .waits) }
      await hosts.expectStart(.exitCode(0))
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [1])
    }

    /// What ends the process without a call from the module's code, and with which status.
    private static let leaving: [(body: String, status: Int32)] = [
      ("pthread_t thread; pthread_create(&thread, NULL, (work *)exit, NULL);", 0),
      ("signal(SIGALRM, (void (*)(int))exit); alarm(1);", SIGALRM),
      (
        """
        struct sigevent event = {0};
        event.sigev_notify = SIGEV_THREAD;
        event.sigev_notify_function = (void (*)(union sigval))exit;
        struct itimerspec time = {{0, 0}, {0, 100000000}};
        timer_t timer;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &time, NULL);
        """, 0
      ),
      (
        """
        dispatch_async_f(dispatch_get_global_queue(0, 0), NULL, (void (*)(void *))exit);
        """, 0
      ),
    ]

    @Test("a thread, signal, timer or queue whose function is exit is the module's", arguments: leaving.indices)
    func leavesToOthers(_ index: Int) async throws {
      let (body, status) = Self.leaving[index]
      var module = hosts.module(1, body + " return SIGNET_OK;")
      module.main.source =
        """
        #include <signal.h>
        #include <time.h>
        void *dispatch_get_global_queue(long, unsigned long);
        void dispatch_async_f(void *, void *, void (*)(void *));

        """ + module.main.source
      try workshop.install(module)
      for _ in 1...2 { await hosts.expectStart(.exitCode(status), .waits) }
      await hosts.expectStart(.exitCode(0))
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [1])
    }

    @Test("an end that the host has announced is in order, whoever calls exit, and one that it has not is not")
    func announced() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      for _ in 1...2 { await hosts.expectStart(.exitCode(5), .announcesAndLeaves) }
      #expect(try hosts.heldBack().isEmpty)
      await hosts.expectStart(.exitCode(5), .leaves)
      #expect(try hosts.heldBack() == ["com.example.crash"])
      // A program that ends itself does so in order, as soon as it likes.
      await hosts.expectStart(.exitCode(1))
      #expect(try hosts.heldBack().isEmpty)
    }

    @Test(
      "a program that returns from its main function ends in order, and one that a signal interrupts there does not")
    func mainReturns() {
      typealias Origin = ProcessEnd.Origin
      for (callers, isOnMainThread, isByProgram) in [
        ([.program, .other], false, true), ([.program, .system, .program], true, true),
        ([.system, .system, .program], true, true), ([.system, .program], true, true),
        ([.system, .system, .program], false, false), ([.system, .system], true, false),
        ([.system, .system, .program, .system, .program], true, false), ([.system, .other, .program], true, false),
        ([.other, .program], true, false), ([], true, false),
      ] as [([Origin], Bool, Bool)] {
        #expect(ProcessEnd.isByProgram(callers, onMainThread: isOnMainThread) == isByProgram, "\(callers)")
      }
    }

    @Test("two modules that crash the process only together both run in the end, one after the other")
    func together() async throws {
      // Each of them crashes if the other one is being tried.
      func body(_ own: String, _ other: String) -> String {
        """
        close(creat(MARKS "/\(own)", 0644));
        if (access(MARKS "/\(other)", F_OK) == 0) abort();
        return SIGNET_OK;
        """
      }
      try workshop.install(hosts.module(1, body("a", "b"), "com.example.a"))
      try workshop.install(hosts.module(1, body("b", "a"), "com.example.b"))
      // The marks of an earlier module are those of the trial that is over.
      func start(_ condition: ExitTest.Condition, _ ending: CrashWorkshop.Ending) async {
        for name in ["a", "b"] { unlink(workshop.folder.file("marks/\(name)")) }
        await hosts.expectStart(condition, ending)
      }
      await start(.signal(SIGABRT), .waits)
      #expect(try hosts.heldBack() == ["com.example.b", "com.example.a"])
      let store = try workshop.store()
      // As after a start in which each has passed alone.
      for name in ["com.example.a", "com.example.b"] {
        try store.noteWell([.init(identifier: identifier(name), sequence: 1)])
      }
      #expect(try hosts.heldBack().isEmpty)
      await start(.signal(SIGABRT), .waits)
      #expect(store.countCrashes().releases.count == 2)
      // The second one now comes after the first, whenever it has passed alone again.
      for name in ["com.example.a", "com.example.b"] {
        try store.noteWell([.init(identifier: identifier(name), sequence: 1)])
      }
      #expect(try hosts.heldBack() == ["com.example.b"])
      let host = try workshop.host { $0.trial = .seconds(3600) }
      for name in ["a", "b"] { unlink(workshop.folder.file("marks/\(name)")) }
      #expect(await host.start().map(\.module.identifier) == [try identifier("com.example.a")])
      #expect(host.reason(of: try identifier("com.example.b"))?.code == .hostHeldBack)
      #expect(try await host.retry(identifier("com.example.b")) == [1])
      #expect(try hosts.heldBack().isEmpty)
    }

    @Test("a crash counts at once, though a process that was forked off lives on")
    func forks() async throws {
      // Where the child goes on it does so until the test ends it. The test waits for the end of its pipes, which the child gives up.
      try workshop.install(
        hosts.module(
          1,
          """
          pid_t child = fork();
          struct stat status;
          for (int i = 0; child == 0 && i < 65536; i++) {
            if (fstat(i, &status) == 0 && S_ISFIFO(status.st_mode)) close(i);
          }
          for (int i = 0; child == 0 && i < 6000 && access(MARKS, F_OK) == 0 && access(MARKS "/end", F_OK) != 0; i++) usleep(100000);
          if (child == 0) _exit(0);
          abort();
          """))
      await hosts.expectStart(.signal(SIGABRT))
      #expect(try hosts.heldBack() == ["com.example.crash"])
      await hosts.expectStart(.signal(SIGABRT))
      await hosts.expectStart(.exitCode(0))
      hosts.mark("end")
    }
  }
#endif
