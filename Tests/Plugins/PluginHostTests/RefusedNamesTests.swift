import Foundation
import PluginKit
import Signet
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

/// The names of a module that is tampered with: they are nobody else's.
@Suite(
  "names of refused modules", .timeLimit(.minutes(60)),
  .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct RefusedNamesTests {
  private typealias Workshop = ModuleWorkshop

  private static let source =
    """
    #include "signet_plugin.h"
    static const signet_host *kept;
    static void show(void *user, const signet_request *request, signet_reply reply) {
      signet_value value = {SIGNET_TEXT, 0, {0}};
      value.as.text = signet_text_of("names");
      kept->reply(kept->context, reply, &value);
    }

    """
    + Workshop.principal(
      body: """
        kept = host;
        int32_t status = host->register_action(
          host->context, signet_text_of("Names"), signet_text_of("show"), 0, show, NULL, NULL);
        if (status == SIGNET_OK) { status = host->provide_service(host->context, signet_text_of("NamesTable"), host); }
        return status;
        """)

  private static let members =
    #", "routes": ["names://page"], "targets": {"Names": ["show"]}, "services": ["NamesTable"], "#
    + #""pages": ["", "Detail"], "boards": {"Main": ["A"]}, "acceptedParameters": {"Detail": ["from"]}"#

  @Test("G4, G6: of a tampered module no target, service, page and scheme is left, and no other module gets one")
  func tampered() async throws {
    let workshop = try Workshop()
    let module = try await workshop.host().install(
      workshop.offer(
        .init(identifier: "com.example.names", main: .init(source: Self.source), members: Self.members))
    ).module
    let folder = workshop.path + "/modules/\(module)"
    let release = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first)
    let library = "\(folder)/\(release)/files/lib/com_example_names.so"
    let bytes = try Data(contentsOf: URL(filePath: library))
    let mode = try #require(FileManager.default.attributesOfItem(atPath: library)[.posixPermissions])
    try flip(library) { $0 / 2 }

    let host = try workshop.host()
    await host.start()
    let owner = ModuleOwner.module("\(module)")
    let switchboard = host.switchboard
    #expect(host.status(of: module) == .refused)
    expectRoute(.routeModuleRefused, "names://page", of: host)
    #expect(switchboard.table.isEmpty && !switchboard.targets.hasTarget("Names"))
    let other = try switchboard.context(
      for: ModuleDeclaration(
        identifier: "com.example.other", targets: ["Names": ["show": false]], services: ["NamesTable"]))
    expectRefusal(.targetModuleRefused) { try Self.perform(other) }
    expectRefusal(.targetConflict) {
      try other.register(target: "Names", make: { 1 }) { $0.add("show") { _, _ in nil } }
    }
    expectRefusal(.serviceConflict) { try other.provide(named: "NamesTable") { 1 } }
    #expect(await other.resolve(named: "NamesTable", as: Int.self) == nil)
    expectRefusal(.pageModuleRefused) { try Self.makePage(other, of: module) }
    switchboard.externalOpening = ExternalOpening { _ in true }
    let notFound = PluginError(.routeNotFound, "names://other", "has no route")
    guard case .refused(let error) = switchboard.outcome(of: "names://other", after: notFound) else {
      Issue.record("its scheme is opened outside")
      return
    }
    #expect(error.code == .routeNotFound)

    // Repaired, it has all of that.
    try FileManager.default.removeItem(atPath: library)
    try bytes.write(to: URL(filePath: library))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: library)
    try await host.load(module)
    #expect(try Self.perform(other) as? String == "names")
    #expect(switchboard.table.map { "\($0.owner) \($0.pattern)" } == ["\(owner) Names.show", "\(owner) NamesTable"])
    expectRefusal(.pageNotFound) { try Self.makePage(other, of: module) }
  }

  private static func perform(_ context: ModuleContext) throws -> (any Sendable)? {
    try context.perform("show", on: "Names", limit: .seconds(3600))
  }

  private static func makePage(_ context: ModuleContext, of module: ModuleIdentifier) throws -> Page {
    try context.makePage("Detail", of: "\(module)")
  }

  private func expectRefusal<Result>(
    _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
  ) {
    do {
      let result = try body()
      Issue.record("gave \(result) instead of \(code)", sourceLocation: sourceLocation)
    } catch { #expect((error as? PluginError)?.code == code, "\(error)", sourceLocation: sourceLocation) }
  }
}
