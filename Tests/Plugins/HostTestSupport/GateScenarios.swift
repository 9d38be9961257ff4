import Foundation
import ModuleStore
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import PluginHost

/// Hosts whose gate has just closed on a module, in each way in which it can. The tests of a face look at such a host
/// through its calls.
extension ModuleWorkshop {
  /// The next start of a host that does not trust the signer of an installed module any more.
  ///
  /// - Parameters:
  ///   - module: the module, signed by the workshop's key.
  ///   - heir: a module that wants the same names, signed by the key that is trusted now.
  func hostRefusing(_ module: Module, heir: Module) async throws -> PluginHost {
    try await host().install(offer(module))
    let other = try PrivateKey.generate(.ed25519)
    let host = try host(policy([other.publicKey]))
    try await host.install(offer(heir, keys: [other]))
    await host.start()
    let name = try identifier(module.identifier)
    #expect(host.status(of: name) == .refused)
    #expect(host.reason(of: name)?.code == .signerUntrusted)
    return host
  }

  /// Two hosts that find a changed byte: the first in the archive of a module, and the second in the module's binary
  /// after its installation. Nothing of the module has run.
  func hostsFindingChange(in module: Module) async throws -> (inArchive: PluginHost, inStore: PluginHost) {
    let archive = try offer(module)
    let whole = try Data(contentsOf: URL(filePath: archive))
    try flip(archive) { $0 / 2 }
    let first = try host()
    do throws(SignetError) {
      try await first.install(archive)
      Issue.record("it was installed")
    } catch { #expect(error.code == .digestMismatch) }
    try whole.write(to: URL(filePath: archive))
    try await host().install(archive)
    try changeBinary(of: module.identifier)
    let second = try host()
    await second.start()
    let name = try identifier(module.identifier)
    #expect(second.status(of: name) == .refused)
    #expect(second.reason(of: name)?.code == .storeDamaged)
    #expect(second.images.isEmpty && marks.isEmpty)
    return (first, second)
  }

  /// A host whose module has failed, because it registers what its description does not declare.
  func hostFailing(_ module: Module, with code: PluginError.Code) async throws -> PluginHost {
    let host = try host()
    try await host.install(offer(module))
    await host.start()
    let name = try identifier(module.identifier)
    #expect(host.status(of: name) == .loadFailed)
    let cause = (host.reason(of: name)?.cause as? SignetError)?.cause as? PluginError
    #expect(cause?.code == code, "\(String(describing: host.reason(of: name)))")
    return host
  }

  /// The folder of the only release of an installed module.
  func release(of module: String) throws -> String {
    let folder = path + "/modules/" + module
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    try #require(names.count == 1)
    return folder + "/" + names[0]
  }

  /// Changes one byte in the binary of an installed module.
  func changeBinary(of module: String) throws {
    try flip(release(of: module) + "/files/lib/" + module.replacing(".", with: "_") + ".so") { $0 / 2 }
  }

  /// An action of a module in C, which answers with a text.
  struct Action {
    let target: String
    let name: String
    var isLocal = false
    var answer = "the desk"
  }

  /// A module in C with actions. It leaves a mark when it is loaded.
  ///
  /// - Parameters:
  ///   - identifier: the module's identifier.
  ///   - actions: what it declares and registers.
  ///   - undeclared: what it registers without a declaration.
  static func module(_ identifier: String, actions: [Action], undeclared: [Action] = []) -> Module {
    let registered = (actions + undeclared).map { action in
      "if (!status) status = host->register_action(host->context, signet_text_of(\"\(action.target)\"), "
        + "signet_text_of(\"\(action.name)\"), \(action.isLocal ? 1 : 0), answer, \"\(action.answer)\", 0);"
    }
    let source = """
      #include "signet_plugin.h"
      static const signet_host *kept;
      static void answer(void *user, const signet_request *request, signet_reply reply) {
        signet_value value = {SIGNET_TEXT, 0, {0}};
        value.as.text = signet_text_of(user);
        kept->reply(kept->context, reply, &value);
      }

      """
    let body = """
      int32_t status = SIGNET_OK;
      kept = host;
      \(registered.joined(separator: "\n"))
      return status;
      """
    let targets = Dictionary(grouping: actions, by: \.target).sorted { $0.key < $1.key }.map { target, actions in
      let names = actions.map { $0.isLocal ? #"{"name": "\#($0.name)", "local": true}"# : "\"\($0.name)\"" }
      return "\"\(target)\": [\(names.joined(separator: ", "))]"
    }
    return Module(
      identifier: identifier, main: .init(source: constructor(identifier) + source + principal(body: body)),
      members: ", \"targets\": {\(targets.joined(separator: ", "))}")
  }
}
