import Foundation
import PARuntimeFace
import PluginHost
import PluginKit
import Signet
import SignetBase
import SignetCrypto
import TestSupport
import Testing

@testable import HostTestSupport

/// Modules with real code that serve names as PARuntime's bundles do, and managers of hosts.
extension ModuleWorkshop {
  /// A module that serves each name and everything below it with its sequence and the number of the request. It posts
  /// `hook` when it was loaded.
  static func bundle(_ identifier: String, _ sequence: Int = 1, names: [String] = ["wechat"]) -> Module {
    let routes = names.flatMap { ["ui://\($0)", "ui://\($0)/*"] }
    let registered = routes.map {
      "status = status ? status : host->register_route(host->context, signet_text_of(\"\($0)\"), 0, 0, show, 0, 0);"
    }
    let source = """
      #include <stdio.h>
      #include "signet_plugin.h"
      static const signet_host *kept;
      static int asked;
      static void show(void *user, const signet_request *request, signet_reply reply) {
        char text[64];
        signet_value value = {SIGNET_TEXT, 0, {0}};
        snprintf(text, sizeof text, "release \(sequence), request %d", ++asked);
        value.as.text = signet_text_of(text);
        kept->reply(kept->context, reply, &value);
      }

      """
    let body = """
      int32_t status = SIGNET_OK;
      kept = host;
      \(registered.joined(separator: "\n"))
      return status ? status : host->post(host->context, signet_text_of("hook"), NULL, 0);
      """
    return Module(
      identifier: identifier, sequence: sequence,
      main: .init(source: constructor("\(identifier)-\(sequence)") + source + principal(body: body)),
      members: ", \"routes\": [\(routes.map { "\"\($0)\"" }.joined(separator: ", "))]")
  }

  func manager(
    _ policy: TrustPolicy? = nil, _ change: (inout PluginHost.Configuration) -> Void = { _ in }
  ) throws -> PABundleManager {
    PABundleManager(try host(policy, change))
  }

  /// Makes an archive with its bundle beside it, under another name in another folder.
  func offer(_ module: Module, as name: String, in place: TemporaryFolder, keys: [PrivateKey]? = nil) throws {
    let path = try offer(module, keys: keys)
    for end in ["", ".sigstore.jsonl"] {
      try? FileManager.default.removeItem(atPath: place.file(name + end))
      try FileManager.default.moveItem(atPath: path + end, toPath: place.file(name + end))
    }
  }
}

/// An item as a list has it.
func item(
  _ identifier: String = "com.example.wechat", _ version: String = "1.0.1", zip: String? = "wechat.zip",
  url: String? = nil, signature: String? = nil
) throws -> PADownloadItem {
  let fields: [String: Any?] = [
    "identifier": identifier, "version": version, "zipName": zip, "frameworkName": "WeChat.framework",
    "remoteURL": url, "resources": ["wechat"], "signature": signature,
  ]
  let data = try PropertyListSerialization.data(
    fromPropertyList: fields.compactMapValues { $0 }, format: .xml, options: 0)
  return try PropertyListDecoder().decode(PADownloadItem.self, from: data)
}
