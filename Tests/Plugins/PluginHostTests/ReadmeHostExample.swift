import PluginHost
import PluginKit
import Signet
import SignetCrypto

/// Takes in what the policy accepts, and shows a page of the player.
func run(trusting policy: TrustPolicy) async throws {
  let host = try PluginHost(policy: policy, store: "modules")
  await host.start()
  for refused in host.refusals { print("refused: \(refused.source): \(refused.reason)") }
  let player = try await host.install("player.zip").module
  try await host.load(player)
  if let page = try await host.open("ui://player/7") { print(page) }
}
