import Foundation
import PluginKit
import SignetCrypto
import Synchronization
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

#if os(Linux)
  @Suite(
    "A new plugin", .slow, .serialized, .timeLimit(.minutes(60)),
    .enabled(if: Program.find("clang") != nil && Program.find("make") != nil, "clang or make is missing"))
  struct ScaffoldTests {
    /// Begins a plugin in C, builds it as its README says, and packs it.
    private func archive(_ name: String, in folder: TemporaryFolder) async throws -> String {
      let make = try #require(Program.find("make"))
      for command in [
        [FixtureHost.signet, "new", "module", name, "--language", "c", "--signet", Repository.root],
        [make, "-C", name],
        [FixtureHost.signet, "pack", "\(name)/module", "--out", "\(name).zip"],
      ] {
        let result = try await FixtureBuilds.run(
          command[0], Array(command.dropFirst()), in: folder.path, environment: FixtureBuilds.localGit)
        try #require(result.status == 0, "\(command): \(result.output)\(result.errors)")
        #expect(!result.output.contains("unwise"))
      }
      return folder.file("\(name).zip")
    }

    @Test("PA14: one in C is built, packed, signed, installed and loaded, and its pages open")
    func c() async throws {
      let workshop = try ModuleWorkshop()
      let path = try await archive("lamp", in: workshop.folder)
      try workshop.write(workshop.sign(path), beside: path)
      let host = try workshop.host()
      try await host.load(host.install(path).module)
      #expect(try await host.open("ui://lamp") as? String == "lamp is here")
      #expect(try await host.open("ui://lamp/7") as? String == "lamp shows 7")
    }

    @Test(
      "SM35: the package of a new host or plugin names products that Signet has",
      arguments: [
        ["host"], ["host", "--like", "pacore"], ["host", "--like", "ctmediator"], ["host", "--like", "jlroutes"],
        ["host", "--like", "mgjrouter"], ["host", "--like", "ptrouter"], ["host", "--like", "small"],
        ["host", "--like", "hslink"], ["host", "--like", "small-web"], ["module"],
      ])
    func products(_ arguments: [String]) async throws {
      let folder = try TemporaryFolder()
      let swift = try #require(Program.find("swift"))
      // One is told the checkout by a path from where its user is.
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("checkout"), withDestinationPath: Repository.root)
      let checkout = arguments == ["module"] ? "checkout" : Repository.root
      for command in [
        [FixtureHost.signet, "new", arguments[0], "stage", "--signet", checkout] + arguments.dropFirst(),
        [swift, "package", "--package-path", "stage", "--disable-dependency-cache", "show-dependencies"],
      ] {
        let result = try await FixtureBuilds.run(
          command[0], Array(command.dropFirst()), in: folder.path, environment: FixtureBuilds.localGit)
        #expect(result.status == 0, "\(command): \(result.output)\(result.errors)")
      }
    }

    /// A system, the name of its host among the fixtures, a URL for a plugin called radio, and what the host prints.
    private static let systems = [
      ("ctmediator", "NewCTMediatorHost", "app://Radio/show?item=7", "radio shows 7\n"),
      ("hslink", "NewHSLinkHost", "RadioSupply:show:7", "radio shows 7\n"),
      ("jlroutes", "NewJLRoutesHost", "app://radio/7", "radio shows 7\n"),
      ("mgjrouter", "NewMGJRouterHost", "mgj://radio/7", "radio shows 7\n"),
      ("ptrouter", "NewPTRouterHost", "InnerJump://radio/show?item=7", "radio shows 7\nopened\n"),
    ]

    @Test("a plugin and a host that begin with a system's calls work together as they are")
    func like() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      func run(_ command: String, in place: String = "") async throws {
        let result = try await Shell.runAside(
          command, in: folder.file(place),
          variables: ["CONFIGURATION": "debug"].merging(FixtureBuilds.localGit) { $1 })
        try #require(result.status == 0, "\(command): \(result.output)\(result.errors)")
      }
      try await run("signet keygen --out publisher --no-passphrase && signet trust init trust.json")
      try await run("signet trust add trust.json --name publisher --key publisher.pub --modules 'com.example.*'")
      for (system, program, url, output) in Self.systems {
        try await run(
          "mkdir \(system) && cp -p trust.json \(system) && cd \(system) && signet new module radio --like \(system) -q"
            + " && signet new host stage --like \(system) -q")
        // The fixture's program is the one that was begun.
        #expect(
          try folder.read("\(system)/stage/Sources/Host/Host.swift")
            == Array(Repository.text("Fixtures/Host/Sources/\(program)/Host.swift").utf8))
        let made = try await PluginBuilds.make("make -C radio", in: folder.file(system))
        try #require(made.status == 0, "\(system): \(made.output)\(made.errors)")
        try await run(
          "signet pack radio/module --out radio.zip -q && signet sign radio.zip --key ../publisher --attach -q",
          in: system)
        let shown = try await FixtureBuilds.run(
          "\(fixture.products)/\(program)", ["radio.zip", url], in: folder.file(system))
        #expect(shown.output == "installed com.example.radio\n" + output, "\(system): \(shown.errors)")
        #expect(shown.status == 0)
        try await expectEndings("\(fixture.products)/\(program)", in: folder.file(system))
      }
    }

    /// A host ends with a sentence and a status, never with a trap, before it has a policy that it can use.
    private func expectEndings(_ program: String, in folder: String) async throws {
      let policy = "\(folder)/trust.json"
      let text = try Data(contentsOf: URL(fileURLWithPath: policy))
      func expectEnding(_ code: String, _ status: Int32, in place: String) async throws {
        let ended = try await FixtureBuilds.run(program, ["radio.zip"], in: place)
        #expect(ended.status == status, "\(program): \(ended.errors)")
        #expect(ended.errors.hasPrefix("error: \(code): "), "\(program): \(ended.errors)")
        #expect(!ended.errors.contains("Fatal error") && ended.output.isEmpty, "\(program): \(ended.output)")
      }
      let other = "\(folder)/other"
      try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
      try await expectEnding("file.missing", 2, in: other)
      try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: policy)
      try await expectEnding("file.others-may-write", 2, in: folder)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: policy)
      try Data("{".utf8).write(to: URL(fileURLWithPath: policy))
      try await expectEnding("policy.malformed", 1, in: folder)
      try text.write(to: URL(fileURLWithPath: policy))
    }

    private struct Manifest: Decodable, Equatable {
      struct Bundle: Decodable, Equatable { let uri, pkg: String }
      let version: String
      let bundles: [Bundle]
    }

    @Test("SM35: an application of Small's template opens the module that its manifest names")
    func likeSmall() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      func run(_ command: String) async throws {
        let result = try await Shell.runAside(
          command, in: folder.path, variables: ["CONFIGURATION": "debug"].merging(FixtureBuilds.localGit) { $1 })
        try #require(result.status == 0, "\(command): \(result.output)\(result.errors)")
      }
      func open(_ uri: String) async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/NewSmallHost", [uri], in: folder.path)
      }
      try await run("signet new host stage --like small -q && mv stage/app .")
      let manifest = try JSONDecoder().decode(Manifest.self, from: Data(folder.read("app/bundle.json")))
      let main = Manifest.Bundle(uri: "main", pkg: "com.example.stage.app.main")
      #expect(manifest == Manifest(version: "1.0.0", bundles: [main]))
      // The commands of its README. No package has the name of the checkout, and some are called main.
      try await run("signet keygen --out publisher --no-passphrase && signet trust init trust.json")
      try await run("signet trust add trust.json --name publisher --key publisher.pub --modules 'com.example.**'")
      try await run(
        "signet sign app/bundle.json --host-manifest com.example.stage --sequence 1 --key publisher"
          + " && signet new module start --like small --identifier com.example.stage.app.main -q")
      let made = try await PluginBuilds.make("make -C start", in: folder.path)
      try #require(made.status == 0, "\(made.output)\(made.errors)")
      try await run(
        "signet pack start/module --out app/main.zip -q && signet sign app/main.zip --key publisher --attach -q")
      let shown = try await open("main?from=readme")
      #expect(
        shown.output == "loaded http://m.example.com/stage/main\nshows start, from readme\n", "\(shown.errors)")
      #expect(shown.status == 0)

      // Neither a manifest nor a module that somebody has changed is used.
      try await run("sed -i 's/1.0.0/1.0.1/' app/bundle.json")
      let changed = try await open("main?from=readme")
      #expect(!changed.output.contains("shows"))
      #expect(changed.errors.hasPrefix("error: digest.mismatch: "), "\(changed.errors)")
      #expect(changed.status == 1)
      try await run("mv app/bundle.json.sigstore.json kept")
      let unsigned = try await open("main?from=readme")
      #expect(unsigned.errors.hasPrefix("error: signature.missing: "), "\(unsigned.errors)")
      #expect(unsigned.status == 1)
      try await run("mv kept app/bundle.json.sigstore.json")
      try await expectEndings("\(fixture.products)/NewSmallHost", in: folder.path)
      try await run("sed -i 's/1.0.1/1.0.0/' app/bundle.json && rm -rf modules documents")
      try await run("printf X | dd of=app/main.zip bs=1 seek=200 conv=notrunc status=none")
      let refused = try await open("main?from=readme")
      #expect(refused.output.contains("refused: "), "\(refused.output)")
      #expect(!refused.output.contains("shows"))
    }

    @Test("a host with the calls of Small's web bundles opens the module that it begins with")
    func likeSmallWeb() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      func run(_ command: String) async throws {
        let result = try await Shell.runAside(command, in: folder.path, variables: FixtureBuilds.localGit)
        try #require(result.status == 0, "\(command): \(result.output)\(result.errors)")
      }
      try await run("signet new host stage --like small-web -q && mv stage/app stage/about .")
      #expect(
        try folder.read("stage/Sources/Host/Host.swift")
          == Array(Repository.text("Fixtures/Host/Sources/NewSmallWebHost/Host.swift").utf8))
      // The commands of its README.
      try await run("signet keygen --out publisher --no-passphrase && signet trust init trust.json")
      try await run("signet trust add trust.json --name publisher --key publisher.pub --modules 'com.example.**'")
      try await run(
        "signet sign app/bundle.json --host-manifest com.example.stage --sequence 1 --key publisher"
          + " && signet pack about --out app/about.zip && signet sign app/about.zip --key publisher --attach")
      let shown = try await FixtureBuilds.run(
        "\(fixture.products)/NewSmallWebHost", ["about?from=readme"], in: folder.path)
      let page = "https://com.example.stage.about.invalid/index.html"
      let type = "is index.html, text/html; charset=utf-8"
      // The page is loaded in advance, and again with a query.
      let told = [
        "\(page) \(type)", "loaded http://m.example.com/stage/about", "\(page)?from=readme \(type)",
        "shows about?from=readme", "",
      ]
      #expect(shown.output == told.joined(separator: "\n"), "\(shown.errors)")
      #expect(shown.status == 0, "\(shown.errors)")
      try await expectEndings("\(fixture.products)/NewSmallWebHost", in: folder.path)
    }

    @Test("the host of the DocC article loads a plugin, opens its page and hears what is posted")
    func article() async throws {
      let folder = try TemporaryFolder()
      _ = try await Walkthrough("docs/guides/write-a-host.md").run(in: folder)
      let path = try await archive("torch", in: folder)
      let signed = try Shell.run("signet sign torch.zip --key publisher --attach", in: folder.path)
      try #require(signed.status == 0, "\(signed.errors)")
      let host = try PageHost(policy: folder.file("trust.json"), store: folder.file("modules"))
      await host.start()
      #expect("\(try await host.add(path))" == "com.example.torch")
      #expect(try await host.page("ui://torch/7") == "torch shows 7")
      let heard = Mutex(0)
      let token = try host.observe("lit") { _ in heard.withLock { $0 += 1 } }
      try await host.host.switchboard.notifications.post("lit")
      token.cancel()
      try await host.host.switchboard.notifications.post("lit")
      #expect(heard.withLock { $0 } == 1)
    }

    @Test(
      "PA14: one that is killed while it is begun is there with all its files, or not at all, and one whose disk fails leaves nothing",
      .enabled(if: Strace.path != nil, Strace.absence))
    func killed() throws {
      let folder = try TemporaryFolder()
      func begin(in place: String, _ options: [String]) throws -> Program {
        try FileManager.default.createDirectory(atPath: folder.file(place), withIntermediateDirectories: true)
        return try Strace.run(
          options,
          [FixtureHost.signet, "new", "module", "lamp", "--language", "c", "--signet", Repository.root, "--quiet"],
          in: folder.file(place))
      }
      func contents(_ place: String) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.file(place)) {
          contents[name] = FileManager.default.contents(atPath: folder.file("\(place)/\(name)")) ?? Data()
        }
        return contents
      }
      let log = folder.file("log")
      try #require(
        begin(in: "whole", ["-o", log, "-e", "trace=\(Strace.calls.joined(separator: ","))"]).status == 0)
      let files = try contents("whole/lamp")
      let calls = Strace.calls(in: String(decoding: try folder.read("log"), as: UTF8.self))
      let first = try #require(calls.firstIndex { $0.name == "mkdir" })
      let points = calls[first...].filter {
        ["mkdir", "openat", "write", "linkat", "fsync", "renameat2"].contains($0.name)
      }
      #expect(points.count > 20)
      var whole = 0
      for (index, point) in points.enumerated() {
        let place: Comment = "\(point.name) \(point.number): \(point.text)"
        func inject(_ fault: String) -> [String] {
          [
            "-o", "/dev/null", "-e", "trace=\(point.name)", "-e",
            "inject=\(point.name):\(fault):when=\(point.number)",
          ]
        }
        let killed = try begin(in: "killed\(index)", inject("signal=KILL"))
        #expect(killed.status == 128 + SIGKILL, place)
        if FileManager.default.fileExists(atPath: folder.file("killed\(index)/lamp")) {
          #expect(try contents("killed\(index)/lamp") == files, place)
          whole += 1
        }
        guard ["mkdir", "write", "linkat", "renameat2"].contains(point.name) else { continue }
        let failed = try begin(in: "failed\(index)", inject("error=ENOSPC"))
        #expect(failed.status == 2, place)
        #expect(failed.errors.contains("[output.failed]"), place)
        #expect(try contents("failed\(index)").isEmpty, place)
      }
      #expect((1...2).contains(whole))
    }

    @Test("PA14: the guide's plugin in Swift is built, packed, signed, installed and updated, and a host opens it")
    func swift() async throws {
      let fixture = try await FixtureHost("debug")
      let folder = try TemporaryFolder()
      let walked = try await PluginBuilds.run(Walkthrough("docs/guides/write-a-plugin.md"), in: folder)
      #expect(walked.shown == ["radio/Sources/RadioModule/RadioPlugin.swift"])
      #expect(walked.commands == 13)
      // The program of the guide on hosts, with the policy and the store of the guide on plugins.
      func run(_ arguments: [String]) async throws -> Program {
        try await FixtureBuilds.run("\(fixture.products)/GuideHost", arguments, in: folder.path)
      }
      let first = try await run(["ui://radio/7", "app://Radio/count", "ui://other"])
      #expect(
        first.output == """
          loaded com.example.radio
          radio shows 7
          2

          """)
      #expect(first.errors == "error: route.not-found: ui://other: has no route\n")
      #expect(first.status == 2)
      try FileManager.default.removeItem(atPath: folder.file("modules"))
      let second = try await run(["radio.zip", "ui://radio"])
      #expect(second.output == "installed com.example.radio\nradio is here\n")
      let library = try #require(
        FileManager.default.enumerator(atPath: folder.file("modules"))?.compactMap { $0 as? String }
          .first { $0.hasSuffix(".so") })
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: folder.file("modules/\(library)"))
      var bytes = try folder.read("modules/\(library)")
      bytes[bytes.count / 2] ^= 1
      try folder.write("modules/\(library)", bytes)
      let third = try await run([])
      #expect(third.output.hasPrefix("refused: "), "\(third.output)")
      #expect(third.output.contains("store.damaged"), "\(third.output)")
    }
  }
#endif
