import CSignetPlugin
import Foundation
import PluginHost
import PluginKit
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import SmallFace
import SmallRuntimeFace
import TestSupport
import Testing

@testable import HostTestSupport

/// An application as Small has it: folders, a signed manifest, and modules that are packed, signed and really loaded.
///
/// A module's library is built and opened like any other. Its principal enters a plugin in Swift that the test gives,
/// so that the pages come in through the module's own context.
final class SmallWorkshop {
  static let base = "http://m.wequick.net/demo/"
  static let prefix = "net.wequick.example.small."
  static let isPossible = ModuleWorkshop.compiler != nil

  let workshop: ModuleWorkshop
  let main: TemporaryFolder
  let documents: TemporaryFolder
  /// The version of the application.
  var version = "1.0"
  var key: PrivateKey { workshop.key }

  init() throws {
    workshop = try ModuleWorkshop()
    main = try TemporaryFolder()
    documents = try TemporaryFolder()
  }

  // MARK: Hosts

  /// A host of the application. A second one is what the next start has.
  func host(
    _ policy: TrustPolicy? = nil, _ change: (inout PluginHost.Configuration) -> Void = { _ in }
  ) throws -> PluginHost {
    try workshop.host(policy) { configuration in
      configuration = self.configuration()
      change(&configuration)
    }
  }

  func configuration() -> PluginHost.Configuration {
    var configuration = PluginHost.Configuration()
    configuration.clock = .fixed(ModuleWorkshop.time)
    configuration.identifier = ModuleIdentifier(ManifestFixture.host)
    configuration.embedded = main.path
    return configuration
  }

  func small(_ host: PluginHost? = nil, base: String? = base, launchers: [any SMBundleLauncher]? = nil) throws
    -> Small
  {
    var configuration = Small.Configuration(main: main.path, documents: documents.path, version: version)
    if let launchers { configuration.launchers = launchers }
    let small = Small(try host ?? self.host(), configuration)
    small.setBaseUri(base)
    return small
  }

  // MARK: Manifests

  /// Writes the manifest that ships with the application, or the fetched one.
  func manifest(_ text: String, _ sequence: Int = 1, fetched: Bool = false, by key: PrivateKey? = nil) throws {
    if fetched {
      try FileManager.default.createDirectory(atPath: documents.file("bundles"), withIntermediateDirectories: true)
    }
    let made = try TemporaryFolder()
    let path = try ManifestFixture.write(text, sequence, in: made, by: key ?? self.key)
    for end in ["", ".sigstore.json"] {
      let target = (fetched ? documents.file("bundles/bundle.json") : main.file("bundle.json")) + end
      try? FileManager.default.removeItem(atPath: target)
      try FileManager.default.moveItem(atPath: path + end, toPath: target)
    }
  }

  /// A manifest of these entries, each as JSON.
  static func list(_ entries: String...) -> String {
    #"{"version": "1.0.0", "bundles": [\#(entries.joined(separator: ", "))]}"#
  }

  /// An entry of an application, with the name that Small's sample has.
  static func entry(_ uri: String, _ kind: String = "app", rules: String? = nil) -> String {
    #"{"uri": "\#(uri)", "pkg": "\#(prefix)\#(kind).\#(uri)"\#(rules.map { #", "rules": \#($0)"# } ?? "")}"#
  }

  // MARK: Modules

  /// A module with code, whose principal enters the plugin.
  func app(
    _ identifier: String, _ sequence: Int = 1, members: String = #", "pages": [""]"#, files: [String: String] = [:],
    plugin: any Plugin
  ) -> ModuleWorkshop.Module {
    ModuleWorkshop.Module(
      identifier: identifier, sequence: sequence,
      main: .init(source: ModuleWorkshop.constructor("\(identifier)-\(sequence)") + TestPrincipals.source(plugin)),
      members: members, files: files)
  }

  /// Puts a module's archive into the folder that ships with the application.
  func ship(_ module: ModuleWorkshop.Module, keys: [PrivateKey]? = nil) throws {
    try Self.place(workshop.offer(module, keys: keys), main.path, "\(module.identifier).zip")
  }

  /// Makes an archive with its bundle beside it, of resources only.
  func assets(
    _ identifier: String, _ sequence: Int = 1, files: [String: String], listed: [String]? = nil,
    keys: [PrivateKey]? = nil
  ) throws -> String {
    let source = try TemporaryFolder()
    let names = (listed ?? files.keys.sorted()).map { "\"\($0)\"" }.joined(separator: ", ")
    try source.write(
      "module.json",
      Array(
        """
        {"identifier": "\(identifier)", "version": "1.0.\(sequence)", "sequence": \(sequence), "resources": [\(names)]}
        """.utf8))
    for (path, text) in files {
      try FileManager.default.createDirectory(
        atPath: (source.file(path) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try source.write(path, Array(text.utf8))
    }
    let path = workshop.folder.file("\(identifier)-\(sequence).zip")
    try? FileManager.default.removeItem(atPath: path)
    _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
    try workshop.write(workshop.sign(path, keys: keys), beside: path)
    return path
  }

  func shipAssets(_ identifier: String, _ sequence: Int = 1, files: [String: String]) throws {
    try Self.place(assets(identifier, sequence, files: files), main.path, "\(identifier).zip")
  }

  /// Moves an archive and what is beside it.
  static func place(_ archive: String, _ folder: String, _ name: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for end in ["", ".sigstore.jsonl"] {
      let target = folder + "/" + name + end
      try? FileManager.default.removeItem(atPath: target)
      try FileManager.default.moveItem(atPath: archive + end, toPath: target)
    }
  }

  /// The bytes of an archive with its signature in it, as upgrades have.
  func attached(_ archive: String, keys: [PrivateKey]? = nil) throws -> [UInt8] {
    let signed = try TemporaryFolder()
    try AttachedArchive.attaching(
      workshop.sign(archive, keys: keys), to: .file(RegularFile(opening: archive)), at: ModuleWorkshop.time
    ).write(to: signed.file("a.zip"))
    return try signed.read("a.zip")
  }
}

/// Plugins of the test's own process that principals of real libraries enter.
enum TestPrincipals {
  private static let plugins = Monitor<[any Plugin]>([])

  private static let enter:
    @convention(c) (Int32, UnsafePointer<signet_host>?, UnsafeMutablePointer<signet_plugin>?) -> Int32 = {
      number, host, plugin in PluginEntry.enter(TestPrincipals.plugins.withLock { $0[Int(number)] }, host, plugin)
    }

  /// The source of a principal that enters a plugin. It is for this process only, as the address is.
  static func source(_ plugin: any Plugin) -> String {
    let number = plugins.withLock { plugins in
      plugins.append(plugin)
      return plugins.count - 1
    }
    let address = unsafeBitCast(enter, to: UInt.self)
    return """
      #include "signet_plugin.h"
      typedef int32_t (*test_enter)(int32_t, const signet_host *, signet_plugin *);
      __attribute__((visibility("protected"))) int32_t m_main(const signet_host *host, signet_plugin *plugin) {
        return ((test_enter)\(address)ull)(\(number), host, plugin);
      }

      """
  }
}

/// A controller that keeps what it was made with.
class TestController: SMController, @unchecked Sendable {
  // Sendable: nothing changes after it was made.
  let parameters: [String: String]
  var from: String? { parameters["from"] }
  required init(parameters: [String: String]) { self.parameters = parameters }
  var title: String { "\(Self.self)" }
}

final class MainController: TestController, @unchecked Sendable {}
final class HomeController: TestController, @unchecked Sendable {}
final class DetailController: TestController, @unchecked Sendable {}
final class Sub: TestController, @unchecked Sendable {}
final class MainViewController: TestController, @unchecked Sendable {}

/// Expects a PluginError with exactly this code.
@discardableResult
func expectPlugin<Value>(
  _ code: PluginError.Code, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Value
) -> PluginError? {
  do {
    _ = try body()
    Issue.record("nothing was thrown, expected \(code)", sourceLocation: sourceLocation)
  } catch let error as PluginError {
    #expect(error.code == code, comment, sourceLocation: sourceLocation)
    return error
  } catch {
    Issue.record("expected \(code), got \(error)", sourceLocation: sourceLocation)
  }
  return nil
}
