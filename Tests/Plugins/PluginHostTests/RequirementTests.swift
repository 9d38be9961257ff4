import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import Synchronization
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

@Suite("what modules require", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct RequirementTests {
  private typealias Workshop = ModuleWorkshop

  private func module(_ name: String, _ sequence: Int = 1, requires: String) -> Workshop.Module {
    Workshop.page(
      "com.example.\(name)", sequence, route: "ui://\(name)", answer: name, members: ", \"requires\": \(requires)")
  }

  private func on(_ name: String, _ range: String = ">=1.0.0") -> String {
    "{\"modules\": [{\"identifier\": \"com.example.\(name)\", \"versions\": \"\(range)\"}]}"
  }

  @Test("what is required is loaded first, once")
  func order() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    try host.install(workshop.offer(module("top", requires: on("middle"))))
    try host.install(workshop.offer(module("middle", requires: on("base"))))
    try host.install(workshop.offer(Workshop.page("com.example.base", route: "ui://base", answer: "base")))
    try host.load(identifier("com.example.top"))
    #expect(host.modules.values.allSatisfy { $0 == .loaded })
    #expect(host.switchboard.table.map(\.pattern) == ["ui://base", "ui://middle", "ui://top"])
  }

  @Test("a missing module, or one of another version, is told, and nothing of who requires it runs")
  func missing() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    try host.install(workshop.offer(module("needy", requires: on("needed", ">=2.0.0"))))
    let needy = try identifier("com.example.needy")
    let error = expectError(.hostRequirement) { try host.load(needy) }
    #expect((error?.cause as? SignetError)?.code == .storeNotInstalled)
    #expect(workshop.marks.isEmpty)
    try host.install(workshop.offer(Workshop.page("com.example.needed", route: "ui://needed", answer: "x")))
    expectError(.hostRequirement) { try host.load(needy) }
    #expect(workshop.marks == ["com.example.needed-1"])
    #expect(host.status(of: needy) == .refused)
    #expect(throws: PluginError.self) { try host.open("ui://needy") }
    // What was refused before any of it was opened may be tried again, and then its URLs are its own.
    try host.install(workshop.offer(module("needy", 2, requires: on("needed", ">=1.0.0"))))
    try host.load(needy)
    #expect(try host.open("ui://needy") as? String == "needy")
  }

  @Test("modules that require each other are told, and none of them runs")
  func cycle() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    try host.install(workshop.offer(module("hen", requires: on("egg"))))
    try host.install(workshop.offer(module("egg", requires: on("hen"))))
    let error = expectError(.hostRequirementCycle) { try host.load(identifier("com.example.hen")) }
    #expect(
      error?.found == "com.example.hen requires com.example.egg requires com.example.hen")
    #expect(workshop.marks.isEmpty)
  }

  @Test("more than 64 modules in a row that require each other are told, and none of them runs", .slow)
  func depth() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    // From the last: each is the first of a row that is one longer.
    for number in (0..<66).reversed() {
      let requirement = number < 65 ? ", \"requires\": \(on("m\(number + 1)"))" : ""
      let source = try TemporaryFolder()
      try source.write(
        "module.json",
        Array(
          #"{"identifier": "com.example.m\#(number)", "version": "1.0.0", "sequence": 1\#(requirement)}"#.utf8))
      let path = workshop.folder.file("m\(number).zip")
      _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
      try workshop.write(workshop.sign(path), beside: path)
      try host.install(path)
    }
    for number in [0, 1] {
      let error = expectError(.hostRequirementDepth) { try host.load(identifier("com.example.m\(number)")) }
      #expect(error?.object == "com.example.m\(number)")
    }
    #expect(!host.modules.values.contains(.loaded))
    try host.load(identifier("com.example.m2"))
    #expect(host.modules.values.filter { $0 == .loaded }.count == 64)
  }

  @Test("a route that no router takes is told, and nothing of the module runs")
  func declaration() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let routes = ", \"routes\": [\"ui://odd(/a)(/b)(/c)(/d)(/e)(/f)(/g)(/h)\"]"
    let odd = Workshop.Module(
      identifier: "com.example.odd",
      main: .init(source: Workshop.constructor("odd") + Workshop.page("ui://odd", "x")), members: routes)
    let module = try host.install(workshop.offer(odd)).module
    let error = expectError(.hostDeclaration) { try host.load(module) }
    #expect((error?.cause as? PluginError)?.code == .patternTooLong)
    #expect(host.status(of: module) == .loadFailed)
    #expect(workshop.marks.isEmpty)
  }

  @Test("a module without code is verified once for all who require it, however they stand on each other")
  func ladder() throws {
    let workshop = try Workshop()
    let asked = Mutex(0)
    let host = try workshop.host {
      $0.clock = VerificationClock {
        asked.withLock { $0 += 1 }
        return Workshop.time
      }
    }
    // Each of two requires both of those below it: seen as a tree these are 254.
    for level in 0..<7 {
      for side in ["a", "b"] {
        let below = level == 0 ? [] : ["a\(level - 1)", "b\(level - 1)"]
        try host.install(assets(workshop, "\(side)\(level)", requires: below))
      }
    }
    let before = asked.withLock { $0 }
    let first = try host.load(identifier("com.example.a0"))
    let each = asked.withLock { $0 } - before
    #expect(first.images.isEmpty)
    try host.load(identifier("com.example.a6"))
    // Thirteen modules.
    #expect(asked.withLock { $0 } - before - each <= 13 * each)
    #expect(host.start().count == 14)
    #expect(asked.withLock { $0 } - before < 60 * each)
  }

  #if os(Linux)
    @Test("a module that is refused is verified once in a round, however many require it")
    func refusedOnce() throws {
      let workshop = try Workshop()
      let host = try workshop.host()
      let base = try host.install(assets(workshop, "m", requires: [])).module
      // Half of them are loaded before what they require, and half after it.
      let dependents = (0..<40).map { "\($0 < 20 ? "a" : "z")\($0)" }
      for name in dependents { try host.install(assets(workshop, name, requires: ["m"])) }
      // Its bytes are read last of all: a file that is not what was signed.
      let folder = workshop.path + "/modules/\(base)"
      let release = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
      let path = "\(folder)/\(release)/files/a"
      try flip(path) { _ in 0 }
      let readings = try FileReadings(of: path)
      expectError(.storeDamaged) { try host.load(base) }
      #expect(readings.count == 1)
      #expect(host.start().isEmpty)
      #expect(readings.count == 2)
      #expect(host.reason(of: base)?.code == .storeDamaged)
      for name in dependents {
        let reason = host.reason(of: try identifier("com.example.\(name)"))
        #expect(reason?.code == .hostRequirement, "\(name)")
        #expect((reason?.cause as? SignetError)?.code == .storeDamaged, "\(name)")
      }
    }
  #endif

  private func assets(_ workshop: Workshop, _ name: String, requires below: [String]) throws -> String {
    let source = try TemporaryFolder()
    let required = below.map { "{\"identifier\": \"com.example.\($0)\", \"versions\": \">=1.0.0\"}" }
    try source.write(
      "module.json",
      Array(
        """
        {"identifier": "com.example.\(name)", "version": "1.0.0", "sequence": 1, "resources": ["a"],
         "requires": {"modules": [\(required.joined(separator: ", "))]}}
        """.utf8))
    try source.write("a", Array(name.utf8))
    let path = workshop.folder.file("\(name).zip")
    _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
    try workshop.write(workshop.sign(path), beside: path)
    return path
  }

  @Test("a module for another version of the host is refused")
  func hostVersion() throws {
    let workshop = try Workshop()
    let module = try workshop.host().install(
      workshop.offer(self.module("picky", requires: "{\"host\": \">=2.0.0 <3.0.0\"}"))
    ).module
    for version in [nil, "1.9.9", "3.0.0"] {
      let host = try workshop.host { $0.version = version.flatMap { SemanticVersion($0) } }
      expectError(.hostRequirement, "\(version ?? "none")") { try host.load(module) }
    }
    let host = try workshop.host { $0.version = SemanticVersion("2.1.0") }
    try host.load(module)
  }
}

@Suite("resources", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing)) struct ResourceTests {
  private typealias Workshop = ModuleWorkshop
  private static let resources = ", \"resources\": [\"images\", \"help.html\"]"
  private static let files = ["images/deep/a.txt": "picture", "help.html": "<p>help</p>", "imagesX": "secret"]

  /// A module without code.
  private func assets(_ workshop: Workshop, _ sequence: Int, _ text: String) throws -> String {
    let source = try TemporaryFolder()
    try source.write(
      "module.json",
      Array(
        """
        {"identifier": "com.example.assets", "version": "1.0.\(sequence)", "sequence": \(sequence),
         "resources": ["a.txt"]}
        """.utf8))
    try source.write("a.txt", Array(text.utf8))
    let path = workshop.folder.file("assets-\(sequence).zip")
    _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
    try workshop.write(workshop.sign(path), beside: path)
    return path
  }

  @Test(
    "declared resources are had as they were signed; others are none; changed ones are refused when they are asked for"
  )
  func verified() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(
      workshop.offer(
        Workshop.page(
          "com.example.resources", route: "ui://resources", answer: "x", members: Self.resources, files: Self.files))
    ).module
    let loaded = try host.load(module)
    #expect(loaded.resources == ["help.html", "images/deep/a.txt"])
    #expect(try loaded.resource("help.html") == Array("<p>help</p>".utf8))
    #expect(try loaded.resource("images/deep/a.txt") == Array("picture".utf8))
    for path in [
      "imagesX", "images", "module.json", "lib/com_example_resources.so", "../x", "", "images/../help.html",
    ] {
      #expect(try loaded.resource(path) == nil, "\(path)")
    }
    let folder = workshop.path + "/modules/\(module)"
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    try Data("<p>HELP</p>".utf8).write(to: URL(filePath: "\(folder)/\(release)/files/help.html"))
    expectError(.digestMismatch) { _ = try loaded.resource("help.html") }
    #expect(try loaded.resource("images/deep/a.txt") == Array("picture".utf8))
  }

  @Test("a module gets its own resources, and not one that was changed")
  func ofModule() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let body = """
      struct result { int32_t status; char text[32]; } got = {-1, ""};
      host->resource(host->context, signet_text_of("help.html"), take, &got);
      if (got.status != SIGNET_OK || strcmp(got.text, "<p>help</p>") != 0) return SIGNET_ERROR_FAILED;
      host->resource(host->context, signet_text_of("imagesX"), take, &got);
      if (got.status != SIGNET_ERROR_NOT_FOUND) return SIGNET_ERROR_FAILED;
      kept = host;
      return host->register_route(host->context, signet_text_of("ui://own"), 0, 0, show, NULL, NULL);
      """
    let take = """
      #include <string.h>
      #include "signet_plugin.h"
      static void take(void *user, int32_t status, const signet_value *value) {
        struct result { int32_t status; char text[32]; } *got = user;
        got->status = status;
        if (value->kind == SIGNET_DATA && value->as.text.count < 32) {
          memcpy(got->text, value->as.text.bytes, value->as.text.count);
          got->text[value->as.text.count] = 0;
        }
      }
      static const signet_host *kept;
      static void show(void *user, const signet_request *request, signet_reply reply) {
        struct result { int32_t status; char text[32]; } got = {-1, ""};
        kept->resource(kept->context, signet_text_of("help.html"), take, &got);
        signet_value value = {SIGNET_TEXT, 0, {0}};
        value.as.text = signet_text_of(
          got.status == SIGNET_OK ? got.text : got.status == SIGNET_ERROR_FAILED ? "failed" : "another status");
        kept->reply(kept->context, reply, &value);
      }

      """
    let module = try host.install(
      workshop.offer(
        .init(
          identifier: "com.example.own", main: .init(source: take + Workshop.principal(body: body)),
          members: Self.resources + ", \"routes\": [\"ui://own\"]", files: Self.files))
    ).module
    try host.load(module)
    #expect(try host.open("ui://own") as? String == "<p>help</p>")
    let folder = workshop.path + "/modules/\(module)"
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    try Data("<p>HELP</p>".utf8).write(to: URL(filePath: "\(folder)/\(release)/files/help.html"))
    #expect(try host.open("ui://own") as? String == "failed")
  }

  @Test("a module without code switches to a later release at once, and what was had before stays its own")
  func assets() throws {
    let workshop = try Workshop()
    let host = try workshop.host()
    let module = try host.install(assets(workshop, 1, "one")).module
    let first = try host.load(module)
    #expect(first.images.isEmpty)
    #expect(try first.resource("a.txt") == Array("one".utf8))
    try host.install(assets(workshop, 2, "two"))
    #expect(try host.load(module).resource("a.txt") == Array("two".utf8))
    #expect(try first.resource("a.txt") == Array("one".utf8))
    #expect(host.status(of: module) == .loaded)
  }
}

#if os(Linux)
  /// Counts how often any process opens a file (inotify(7)).
  private final class FileReadings {
    private let descriptor: Int32
    private var found = 0

    init(of path: String) throws {
      descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
      try #require(descriptor >= 0)
      // Each opening has an end: of equal events that follow each other the kernel keeps one.
      try #require(inotify_add_watch(descriptor, path, UInt32(IN_OPEN | IN_CLOSE_NOWRITE)) >= 0)
    }

    deinit { close(descriptor) }

    var count: Int {
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let size = read(descriptor, &buffer, buffer.count)
        guard size > 0 else { return found }
        // An event of a file has no name behind it.
        for start in stride(from: 0, to: size, by: MemoryLayout<inotify_event>.size) {
          let mask = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self) }
          if mask & UInt32(IN_OPEN) != 0 { found += 1 }
        }
      }
    }
  }
#endif
