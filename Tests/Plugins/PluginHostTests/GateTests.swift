import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

/// Section 0 of the systems that are taken over: why there is such a host.
@Suite("the gate", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing)) struct GateTests {
  private typealias Workshop = ModuleWorkshop

  @Test("G1: what a trusted key has signed is installed and loaded")
  func trusted() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let offer = try workshop.offer(Workshop.page("com.example.gate", route: "ui://gate", answer: "hello"))
    let installed = try host.install(offer)
    #expect("\(installed.module)" == "com.example.gate")
    #expect(host.status(of: installed.module) == .installed)
    #expect(workshop.marks.isEmpty)
    try host.load(installed.module)
    #expect(host.status(of: installed.module) == .loaded)
    #expect(workshop.marks == ["com.example.gate-1"])
    #expect(try host.open("ui://gate") as? String == "hello")
  }

  @Test(
    "G1: anything else is refused, for a reason of its own, and nothing of it runs",
    arguments: [
      "another key": SignetError.Code.signerUntrusted, "unsigned": .signatureMissing,
      "lib/com_example_gate.so": .digestMismatch, "module.json": .digestMismatch, "help.txt": .digestMismatch,
      "bundle": .signatureInvalid, "truncated": .archiveEndRecord,
    ])
  func refused(_ fault: String, _ code: SignetError.Code) throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = Workshop.page(
      "com.example.gate", route: "ui://gate", answer: "hello", members: ", \"resources\": [\"help.txt\"]",
      files: ["help.txt": "help, which the archive has as it is"])
    let other = try PrivateKey.generate(.ed25519)
    let offer = try workshop.offer(module, keys: fault == "another key" ? [other] : nil)
    switch fault {
    case "unsigned": try FileManager.default.removeItem(atPath: offer + ".sigstore.jsonl")
    case "lib/com_example_gate.so", "module.json", "help.txt":
      // The entry's bytes come right behind its name, which stands in front of them first.
      let name = try #require(Data(contentsOf: URL(filePath: offer)).firstRange(of: Data(fault.utf8)))
      try flip(offer) { _ in name.upperBound + 4 }
    case "truncated": try Data(contentsOf: URL(filePath: offer)).dropLast(7).write(to: URL(filePath: offer))
    case "bundle":
      let path = offer + ".sigstore.jsonl"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let start = try #require(text.range(of: "\"sig\":\"")).upperBound
      let changed = text[start] == "A" ? "B" : "A"
      try text.replacingCharacters(in: start...start, with: changed).write(
        toFile: path, atomically: true, encoding: .utf8)
    default: break
    }
    let error = expectError(code) { try host.install(offer) }
    #expect(error != nil)
    #expect(host.refusals.map(\.reason.code) == [code])
    #expect(host.refusals.map(\.source) == [offer])
    expectError(.storeNotInstalled) { try host.load(identifier("com.example.gate")) }
    #expect(workshop.marks.isEmpty)
    #expect(!host.switchboard.router.canOpen("ui://gate"))
    #expect(host.switchboard.table.isEmpty)
  }

  @Test("what an unsigned offer says of itself is not remembered at whatever length")
  func longReasons() async throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let events = host.events
    let offer = try workshop.offer(Workshop.page("com.example.long", route: "ui://long", answer: "x"))
    let path = offer + ".sigstore.jsonl"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let long = String(repeating: "long", count: 1 << 20)
    try text.replacing("{\"dsse", with: "{\"\(long)\":1,\"dsse", maxReplacements: 1).write(
      toFile: path, atomically: true, encoding: .utf8)
    // Whoever offered it is told all of it.
    let error = try #require(
      expectError(.bundleUnknownField) { try host.install(offer, module: identifier("com.example.long")) })
    #expect("\(error)".utf8.count > long.utf8.count)
    let kept = try #require(host.refusals.first)
    #expect(kept.reason.code == .bundleUnknownField)
    #expect("\(kept.reason)".utf8.count < 8192)
    #expect(try "\(#require(host.reason(of: identifier("com.example.long"))))".utf8.count < 8192)
    var told: RefusedModule?
    for await event in events {
      guard case .refused(let refusal) = event else { continue }
      told = refusal
      break
    }
    #expect(try "\(#require(told).reason)".utf8.count < 8192)
  }

  @Test("G2: where exactly certain signers are asked for, all of them and nobody else must have signed")
  func signers() throws {
    let (a, b) = (try PrivateKey.generate(.ed25519), try PrivateKey.generate(.ed25519))
    func exact(_ keys: [PrivateKey]) throws -> TrustPolicy {
      let entries = try keys.enumerated().map {
        try TrustEntry("key-\($0.offset)", .key($0.element.publicKey), scope: .everything)
      }
      var terms = TrustPolicy.Terms()
      terms.requirement = .exact
      return try TrustPolicy(entries: entries, terms: terms)
    }
    func outcome(_ signers: [PrivateKey], _ trusted: [PrivateKey]) throws -> SignetError.Code? {
      let workshop = try Workshop()
      let host = try workshop.host(exact(trusted))
      let offer = try workshop.offer(
        Workshop.page("com.example.signers", route: "ui://signers", answer: "x"), keys: signers)
      do throws(SignetError) {
        try host.load(host.install(offer).module)
        return nil
      } catch {
        #expect(workshop.marks.isEmpty)
        return error.code
      }
    }
    #expect(try outcome([a, b], [a]) == .policyExact)
    #expect(try outcome([b, a], [a, b]) == nil)
    #expect(try outcome([a], [a, b]) == .policyExact)
  }

  @Test("an entry that nobody signed is refused, in the archive and where it is installed, and one that is gone")
  func everyEntry() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let python = try #require(Program.find("python3"))
    let module = Workshop.page("com.example.entries", route: "ui://entries", answer: "x", files: ["help.txt": "help"])
    for (name, code) in [
      ("META-INF/x", SignetError.Code.digestMismatch), ("lib/arm/x.so", .digestMismatch),
      ("help.txt", .digestMismatch),
      ("../x", .digestMismatch), ("/x", .digestMismatch),
    ] {
      let offer = try workshop.offer(module)
      let script = "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'a').writestr(sys.argv[2], 'x')"
      _ = try Program.run(python, ["-B", "-W", "ignore", "-c", script, offer, name], in: workshop.folder.path)
      expectError(code, "\(name)") { try host.install(offer) }
      // Nobody signs such an archive either.
      if name != "META-INF/x", name != "lib/arm/x.so" {
        let reason: SignetError.Code =
          name == "help.txt" ? .archiveDuplicatePath : name == "/x" ? .pathAbsolute : .pathParent
        expectError(reason, "\(name)") { _ = try workshop.sign(offer) }
      }
      try FileManager.default.removeItem(atPath: offer)
    }
    let installed = try host.install(workshop.offer(module)).module
    let folder = workshop.path + "/modules/\(installed)"
    let files = try folder + "/" + #require(FileManager.default.contentsOfDirectory(atPath: folder).first) + "/files"
    for (change, undo) in [
      ("mkdir META-INF && echo x > META-INF/x", "rm -r META-INF"), ("ln -s help.txt other.txt", "rm other.txt"),
      ("mv help.txt ../help.txt", "mv ../help.txt help.txt"),
    ] {
      _ = try Program.run("/bin/sh", ["-c", change], in: files)
      expectError(.storeDamaged, "\(change)") { try host.load(installed) }
      _ = try Program.run("/bin/sh", ["-c", undo], in: files)
    }
    #expect(workshop.marks.isEmpty)
    try host.load(installed)
    #expect(workshop.marks == ["com.example.entries-1"])
  }

  @Test("G4: the URL of a refused module is refused, and neither the web nor another module gets it")
  func refusedURL() throws {
    let workshop = try Workshop()
    let first = try workshop.host()
    let module = try first.install(
      workshop.offer(Workshop.page("com.example.pay", route: "ui://pay", answer: "paid"))
    ).module
    // At the next start the key is not trusted any more.
    let other = try PrivateKey.generate(.ed25519)
    let host = try workshop.host(workshop.policy([other.publicKey]))
    try host.switchboard.router.register(RoutePattern("ui://"), owner: .host, allowsFallback: true) { _ in "web" }
    #expect(host.start().isEmpty)
    #expect(host.status(of: module) == .refused)
    #expect(host.reason(of: module)?.code == .signerUntrusted)
    do throws(PluginError) {
      try host.open("ui://pay")
      Issue.record("it was opened")
    } catch {
      #expect(error.code == .routeModuleRefused)
      #expect(error.found == "signer.untrusted")
    }
    #expect(try host.open("ui://else") as? String == "web")
    #expect(workshop.marks.isEmpty)
    // What is accepted again serves again.
    let later = try workshop.host()
    later.start()
    #expect(try later.open("ui://pay") as? String == "paid")
    // Whoever is trusted may declare the same URL: it is not theirs while the module is refused.
    let last = try workshop.host(workshop.policy([other.publicKey]))
    try last.install(
      workshop.offer(Workshop.page("com.example.heir", route: "ui://pay", answer: "to the heir"), keys: [other]))
    #expect(last.start().map { "\($0.module.identifier)" } == ["com.example.heir"])
    do throws(PluginError) {
      try last.open("ui://pay")
      Issue.record("it was opened")
    } catch { #expect(error.code == .routeModuleRefused) }
  }

  @Test("G4: an unsigned archive that claims everything blanks nobody")
  func claims() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    try host.switchboard.router.register(RoutePattern("ui://home"), owner: .host) { _ in "home" }
    let offer = try workshop.offer(Workshop.page("com.example.greedy", route: "ui://*", answer: "mine"))
    try FileManager.default.removeItem(atPath: offer + ".sigstore.jsonl")
    expectError(.signatureMissing) { try host.install(offer) }
    #expect(try host.open("ui://home") as? String == "home")
    #expect(!host.switchboard.router.canOpen("ui://other"))
  }

  @Test("G4: a module that was accepted once, claims everything and fails takes no more than it had")
  func greedy() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    try host.switchboard.router.register(RoutePattern("ui://home"), owner: .host) { _ in "home" }
    let absent =
      ", \"requires\": {\"modules\": [{\"identifier\": \"com.example.absent\", \"versions\": \">=1.0.0\"}]}"
    try host.install(
      workshop.offer(Workshop.page("com.example.greedy", route: "ui://*", answer: "mine", members: absent)))
    try host.install(workshop.offer(Workshop.page("com.example.pay", route: "ui://pay", answer: "paid")))
    #expect(host.start().map { "\($0.module.identifier)" } == ["com.example.pay"])
    #expect(try host.open("ui://home") as? String == "home")
    #expect(try host.open("ui://pay") as? String == "paid")
    // What only the module served is refused still.
    do throws(PluginError) {
      try host.open("ui://other")
      Issue.record("it was opened")
    } catch { #expect(error.code == .routeModuleRefused) }
    #expect(workshop.marks == ["com.example.pay-1"])
  }

  @Test("a module that wants another's very route fails, and takes nothing from it")
  func conflict() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    for name in ["first", "second"] {
      try host.install(workshop.offer(Workshop.page("com.example.\(name)", route: "ui://pay", answer: name)))
    }
    #expect(host.start().map { "\($0.module.identifier)" } == ["com.example.first"])
    #expect(host.status(of: try identifier("com.example.second")) == .loadFailed)
    #expect(try host.open("ui://pay") as? String == "first")
  }

  @Test("G6: of a module that registers in every table nothing is there once it is refused")
  func tables() throws {
    let workshop = try Workshop()
    let body = """
      host->register_route(host->context, signet_text_of("ui://tables"), 0, 0, answer, 0, 0);
      host->register_action(host->context, signet_text_of("Tables"), signet_text_of("go"), 0, answer, 0, 0);
      host->provide_service(host->context, signet_text_of("tables"), host);
      host->observe(host->context, signet_text_of("tables"), 0, hear, 0, 0, 0);
      return host->observe(host->context, signet_text_of("didBecomeActive"), 1, hear, 0, 0, 0);
      """
    let handlers = """
      #include "signet_plugin.h"
      static void answer(void *user, const signet_request *request, signet_reply reply) {}
      static void hear(void *user, signet_text name, const signet_named_value *values, size_t count) {}

      """
    let source = Workshop.constructor("tables") + handlers + Workshop.principal(body: body)
    let module = Workshop.Module(
      identifier: "com.example.tables", main: .init(source: source),
      members: """
        , "routes": ["ui://tables"], "targets": {"Tables": ["go"]}, "services": ["tables"]
        """)
    let first = try workshop.host()
    let path = try first.install(workshop.offer(module)).module
    try first.load(path)
    #expect(
      Set(first.switchboard.table.filter { $0.owner == "\(path)" }.map(\.kind))
        == [.route, .action, .service, .notification, .event])
    #expect(workshop.marks == ["tables"])
    try workshop.changeBinary(of: "\(path)")
    let host = try workshop.host()
    host.start()
    #expect(host.status(of: path) == .refused)
    #expect(host.reason(of: path)?.code == .storeDamaged)
    #expect(host.switchboard.table.isEmpty)
    #expect(workshop.marks == ["tables"])
    #expect(host.images.isEmpty)
  }
}
