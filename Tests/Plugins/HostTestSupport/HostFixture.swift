import Foundation
import PluginKit
import Signet
import SignetCrypto
import TestSupport
import Testing

@testable import PluginHost

extension ModuleWorkshop {
  /// A host on the workshop's store.
  func host(
    _ policy: TrustPolicy? = nil, _ change: (inout PluginHost.Configuration) -> Void = { _ in }
  ) throws -> PluginHost {
    var configuration = PluginHost.Configuration()
    configuration.clock = .fixed(Self.time)
    change(&configuration)
    return try PluginHost(policy: policy ?? self.policy(), store: path, configuration: configuration)
  }

  /// A module that serves one route with a text, and leaves a mark when it is loaded.
  static func page(
    _ identifier: String, _ sequence: Int = 1, route: String, answer: String, members: String = "",
    files: [String: String] = [:]
  ) -> Module {
    Module(
      identifier: identifier, sequence: sequence,
      main: .init(source: constructor("\(identifier)-\(sequence)") + page(route, answer)),
      members: ", \"routes\": [\"\(route)\"]" + members, files: files)
  }

  /// Makes an archive with its bundle beside it.
  func offer(_ module: Module, keys: [PrivateKey]? = nil) throws -> String {
    let made = try archive(module, keys: keys)
    try write(made.bundles, beside: made.path)
    return made.path
  }

  func write(_ bundles: [SigstoreBundle], beside path: String) throws {
    let lines = try bundles.map { try $0.canonicalBytes() + [10] }
    try Data(lines.joined()).write(to: URL(filePath: path + ".sigstore.jsonl"))
  }
}

func identifier(_ text: String) throws -> ModuleIdentifier { try #require(ModuleIdentifier(text)) }

/// Changes one byte of a file.
func flip(_ path: String, at place: (Int) -> Int) throws {
  var bytes = try Data(contentsOf: URL(filePath: path))
  bytes[place(bytes.count)] ^= 1
  try FileManager.default.removeItem(atPath: path)
  try bytes.write(to: URL(filePath: path))
}

/// Opens a URL that has to end in this code.
func expectRoute(
  _ code: PluginError.Code, _ url: String, of host: PluginHost, sourceLocation: SourceLocation = #_sourceLocation
) {
  do throws(PluginError) {
    try host.open(url)
    Issue.record("\(url) was opened", sourceLocation: sourceLocation)
  } catch { #expect(error.code == code, sourceLocation: sourceLocation) }
}
