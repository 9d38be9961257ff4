import SignetBase
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

  /// Each crash is that of a real process.
  @Suite("crashes", .slow, .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct CrashTests {
    private let hosts: CrashWorkshop
    private let crash: ModuleIdentifier
    private var workshop: ModuleWorkshop { hosts.workshop }

    init() throws {
      hosts = try CrashWorkshop()
      crash = try identifier("com.example.crash")
    }

    @Test("a release that crashes twice while it is loaded gives way to the one before, and that is told")
    func fallback() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      let offered = try workshop.offer(hosts.module(2, CrashWorkshop.crashing))
      try await workshop.host().install(offered)
      for count in 1...2 {
        await hosts.expectStart(.signal(SIGABRT))
        #expect(try hosts.journals().count == 1, "after \(count)")
      }
      let host = try workshop.host()
      let log = HostLog(host)
      #expect(await host.start().map(\.sequence) == [1])
      #expect(log.fallbacks == ["com.example.crash 1 instead of 2"])
      // The author of a host prints this as it is: what was set aside, and what runs, once.
      let told =
        "com.example.crash 2 was set aside, because the host has crashed with it; com.example.crash 1 runs instead"
      #expect(log.sentences == [told])
      let two = try #require(SemanticVersion("1.0.2"))
      #expect(host.availability(of: crash, version: two) == .setAside(two))
      #expect(host.availability(of: crash, version: two, sequence: 2) == .setAside(two))
      // A mended release may have the same version, and has a higher sequence.
      let one = try #require(SemanticVersion("1.0.1"))
      #expect(host.availability(of: crash, version: two, sequence: 3) == .updateAvailable(installed: one))
      #expect(host.availability(of: crash, version: one, sequence: 1) == .installed(one))
      // It says so when it is offered again, and changes nothing.
      func install() { expectError(.moduleCrashed) { try host.install(offered) } }
      install()
      #expect(try workshop.store().active(crash).sequence == 1)
      // A later release is another matter.
      try workshop.install(hosts.module(3, CrashWorkshop.sound))
      #expect(try workshop.store().active(crash).sequence == 3)
    }

    @Test(
      "a module that crashes while it is loaded, with nothing older, is set aside, and the host starts without it")
    func nothingOlder() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.crashing))
      try workshop.install(hosts.module(1, CrashWorkshop.sound, "com.example.sound"))
      await hosts.expectStart(.signal(SIGABRT))
      // It comes up with the others, and the one is loaded once they have passed.
      await hosts.expectStart(.exitCode(1))
      await hosts.expectStart(.signal(SIGABRT), .waitsForAll)
      await hosts.expectStart(.exitCode(1), .settles)
      let host = try workshop.host()
      #expect(await host.start().map(\.module.identifier) == [try identifier("com.example.sound")])
      #expect(host.status(of: crash) == .refused)
      #expect(host.reason(of: crash)?.code == .moduleCrashed)
      #expect(host.refusals.map(\.reason.code) == [.moduleCrashed])
      expectRoute(.routeModuleRefused, "ui://com.example.crash", of: host)
      #expect(try await host.retry(crash) == [1])
      // This time the other one has run well before, and is on trial.
      await hosts.expectStart(.signal(SIGABRT))
      #expect(try hosts.heldBack() == ["com.example.crash"])
      await hosts.expectStart(.signal(SIGABRT), .waitsForAll)
      await hosts.expectStart(.exitCode(1), .settles)
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [1])
    }

    @Test("a module that ends the process while it is loaded has crashed, though that is an end in order")
    func ends() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      try workshop.install(hosts.module(2, "exit(3);"))
      for _ in 1...2 { await hosts.expectStart(.exitCode(3)) }
      await hosts.expectStart(.exitCode(1))
      let host = try workshop.host()
      #expect(await host.start().map(\.sequence) == [1])
      // What was set aside makes nobody wait for what runs instead.
      #expect(try !workshop.store().isHeldBack(.init(identifier: crash, sequence: 1)))
    }

    @Test("a crash counts, though the host was let go of before")
    func letGo() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.crashingLater))
      for _ in 1...2 { await hosts.expectStart(.signal(SIGABRT), .letsGoAndWaits) }
      await hosts.expectStart(.exitCode(0))
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [1])
    }

    @Test("a crash after the host has said that it is well is attributed to no module")
    func healthy() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      for _ in 1...3 { await hosts.expectStart(.signal(SIGABRT), .isWellAndAborts) }
      await hosts.expectStart(.exitCode(1))
      #expect(try workshop.store().setAside(crash).isEmpty)
      // Before that it counts, also where the host has crashed of itself: the next start but one comes up.
      for _ in 1...2 { await hosts.expectStart(.signal(SIGABRT), .aborts) }
      await hosts.expectStart(.exitCode(0))
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [1])
    }

    @Test("one crash of a release that was fallen back to is forgotten with the next run that is well")
    func fallenBackTo() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      try workshop.install(hosts.module(2, CrashWorkshop.crashing))
      for _ in 1...2 { await hosts.expectStart(.signal(SIGABRT)) }
      await hosts.expectStart(.signal(SIGABRT), .aborts)
      // It ends in order, so it was well.
      await hosts.expectStart(.exitCode(1))
      await hosts.expectStart(.signal(SIGABRT), .aborts)
      await hosts.expectStart(.exitCode(1))
      let host = try workshop.host()
      #expect(await host.start().map(\.sequence) == [1])
      #expect(try workshop.store().setAside(crash).map(\.sequence) == [2])
    }

    @Test("a module that is refused in order is no crash, and neither is one that another process is just loading")
    func noCrash() async throws {
      let release = try workshop.install(hosts.module(1, "return SIGNET_ERROR_FAILED;"))
      for _ in 0..<3 { await hosts.expectStart(.exitCode(0)) }
      let store = try workshop.store()
      let journal = try LoadingJournal(in: store)
      try journal.note(.opening, release.name)
      let (path, key) = (workshop.path, workshop.key.publicKey.pem)
      await #expect(processExitsWith: .exitCode(0)) { [path = path as String, key = key as String] in
        let (releases, failure) = try CrashWorkshop.store(path, key).countCrashes()
        exit(failure == nil ? Int32(releases.count) : 99)
      }
      #expect(try hosts.journals().count == 1)
      try journal.note(.loaded, release.name)
      #expect(store.countCrashes().releases.isEmpty)
      #expect(!(try String(contentsOfFile: workshop.path + "/state.json", encoding: .utf8)).contains("crashes"))
      withExtendedLifetime(journal) {}
    }

    @Test("crashes that cannot be written count all the same")
    func unwritable() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      try workshop.install(hosts.module(2, CrashWorkshop.crashing))
      for _ in 1...2 { await hosts.expectStart(.signal(SIGABRT)) }
      let lock = try StoreLock(.change, of: Directory(opening: workshop.path))
      // The end of the trial could not be written either.
      let host = try workshop.host { $0.trial = .seconds(3600) }
      let log = HostLog(host)
      #expect(await host.start().map(\.sequence) == [1])
      // Neither the crashes nor the floor could be written.
      #expect(log.notices == [.storeLocked, .storeLocked])
      #expect(try hosts.journals().count == 2)
      withExtendedLifetime(lock) {}
    }

    @Test("a crash that could not be written counts once, however often stock is taken, and once it can be written")
    func countedOnce() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.crashing))
      await hosts.expectStart(.signal(SIGABRT))
      let host = try workshop.host()
      do {
        let lock = try StoreLock(.change, of: Directory(opening: workshop.path))
        for _ in 0..<3 { await host.takeStock() }
        #expect(try host.context.store.isHeldBack(.init(identifier: crash, sequence: 1)))
        #expect(try host.context.store.setAside(crash).isEmpty)
        #expect(try hosts.journals().count == 1)
        withExtendedLifetime(lock) {}
      }
      await host.takeStock()
      #expect(try hosts.journals().isEmpty)
      for store in [host.context.store, try workshop.store()] {
        #expect(try store.isHeldBack(.init(identifier: crash, sequence: 1)))
        #expect(try store.setAside(crash).isEmpty)
      }
    }

    @Test(
      "a line that a full disk has cut off spoils no line behind it, and journals are read in the order of their time"
    )
    func cutOff() throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      let folder = workshop.path + "/loading"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // The later one is well with the release that has crashed twice before.
      for (name, text, age) in [
        ("z", "start.\nloading com.example.crash 1.\nloading com.exa", 300.0),
        ("y", "loading com.example.crash 1.\nloading com.exa\nstart.\nloading com.example.crash 1.\n", 200),
        (
          "a",
          "\nstart.\n\nloading com.example.crash 1.\n\nloaded com.example.crash 1.\n\nwell com.example.crash 1.\n",
          100
        ),
      ] {
        try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(folder)/\(name)")
      }
      let store = try workshop.store()
      #expect(store.countCrashes().releases.count == 3)
      #expect(try store.heldBack(among: [crash]).isEmpty && store.setAside(crash).isEmpty)
    }

    @Test(
      "a line that could not be written is written before the next one, which would say something else without it")
    func lostLine() async throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      let (path, key) = (workshop.path, workshop.key.publicKey.pem)
      await #expect(processExitsWith: .signal(SIGABRT)) { [path = path as String, key = key as String] in
        let journal = try LoadingJournal(in: CrashWorkshop.store(path, key))
        let (a, b) = (
          ModuleStore.ReleaseName(identifier: try identifier("com.example.crash"), sequence: 1),
          ModuleStore.ReleaseName(identifier: try identifier("com.example.other"), sequence: 1)
        )
        try journal.note(.opening, a)
        // The disk is full.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 0, rlim_max: rlim_t.max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(1) }
        do throws(SignetError) {
          try journal.note(.loaded, a)
          exit(2)
        } catch { guard error.code == .storeWriteFailed else { exit(3) } }
        limit.rlim_cur = rlim_t.max
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(4) }
        try journal.note(.opening, b)
        try journal.note(.loaded, b)
        abort()
      }
      // Either may have been it.
      let store = try workshop.store()
      #expect(
        store.countCrashes().releases.map(\.description).sorted() == ["com.example.crash 1", "com.example.other 1"])
      #expect(try store.storedState().modules[crash]?.crash(1)?.suspicion?.grade == .strong)
    }

    @Test("a journal that could be made late begins with what was loaded before")
    func lateJournal() throws {
      for name in ["com.example.a", "com.example.b"] {
        try workshop.install(hosts.module(1, CrashWorkshop.sound, name))
      }
      let folder = workshop.path + "/loading"
      try Data().write(to: URL(filePath: folder))
      let host = try workshop.host { $0.trial = .seconds(3600) }
      let log = HostLog(host)
      try host.load(identifier("com.example.a"))
      #expect(log.notices.last == .fileNotDirectory)
      try FileManager.default.removeItem(atPath: folder)
      try host.load(identifier("com.example.b"))
      let name = try #require(try hosts.journals().first)
      let lines = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n")
      #expect(
        lines.dropFirst(2) == [
          "loading com.example.a 1.", "loaded com.example.a 1.", "loading com.example.b 1.",
          "loaded com.example.b 1.",
        ])
    }

    @Test("journals that nobody can read are taken away, and count for nothing")
    func damagedJournals() throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      let store = try workshop.store()
      let folder = store.path + "/loading"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (name, text) in [
        ("a", ""), ("b", "no journal."), ("c", "loading com.example.crash 1"),
        ("d", "loading com.example.x 99999999999999999999.\n"),
        ("e", String(repeating: "x", count: 2_000_000)), ("f", "loading com.example.crash\u{0} 1.\n"),
        ("g", "loading com.example.crash 1 1.\n"), ("h", "loading  1.\n"), ("i", "LOADING com.example.crash 1.\n"),
        ("j", "loading com.example.crash -1.\n"), ("k", "loaded com.example.crash 1.\nended.\n"),
        ("l", "loaded com.example.crash 1.\nwell com.example.crash 1.\n"), ("m", "loading com.example.other 1.\n"),
      ] { try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
      mkfifo(folder + "/n", 0o600)
      let found = store.countCrashes()
      #expect(found.releases.map(\.description) == ["com.example.other 1"])
      #expect(found.failure == nil)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["n"])
      #expect(try store.heldBack(among: [crash, identifier("com.example.other")]).isEmpty)
    }

    @Test("a start leaves out what it is told to, and what requires that; it can be loaded afterwards")
    func leftOut() throws {
      try workshop.install(hosts.module(1, CrashWorkshop.sound))
      try workshop.install(hosts.module(1, CrashWorkshop.sound, "com.example.sound"))
      var dependent = hosts.module(1, CrashWorkshop.sound, "com.example.dependent")
      dependent.members += CrashWorkshop.requires("com.example.crash")
      try workshop.install(dependent)
      let host = try workshop.host()
      #expect(host.start(without: [crash]).map(\.module.identifier) == [try identifier("com.example.sound")])
      #expect(host.reason(of: crash)?.code == .hostLeftOut)
      #expect(host.reason(of: try identifier("com.example.dependent"))?.code == .hostRequirement)
      expectRoute(.routeModuleRefused, "ui://com.example.crash", of: host)
      #expect(try host.load(identifier("com.example.dependent")).sequence == 1)
      #expect(host.status(of: crash) == .loaded)
    }

    @Test("a module that does not come back from being loaded is told")
    func stalled() throws {
      // It comes back once the host has told it, or after an hour.
      try workshop.install(
        hosts.module(
          1, "for (int i = 0; i < 360000 && access(MARKS \"/told\", F_OK) != 0; i++) usleep(10000); return SIGNET_OK;"
        ))
      let host = try workshop.host { $0.loadingPatience = .milliseconds(20) }
      let (told, marks) = (Monitor<[String]>([]), workshop.folder.file("marks/told"))
      host.onEvent { event in
        guard case .stalled(let module, let sequence, let time) = event else { return }
        told.withLock { $0.append("\(module) \(sequence) \(time == .milliseconds(20))") }
        _ = FileManager.default.createFile(atPath: marks, contents: nil)
      }
      #expect(host.start().count == 1)
      #expect(told.withLock(\.self) == ["com.example.crash 1 true"])
    }
  }
#endif
