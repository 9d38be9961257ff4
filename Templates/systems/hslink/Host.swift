import HSLinkHostFace
import PluginHost
import Signet

@main struct Host {
  /// Each argument is an archive to install, or a class, a method and a value: RadioSupply:show:7.
  static func main() async {
    do { try await run() } catch { PluginHost.end(with: error) }
  }

  static func run() async throws {
    let policy = try TrustPolicy(trustedFile: "trust.json")
    let host = try PluginHost(policy: policy, store: "modules")
    host.onEvent { event in
      if let sentence = event.sentence { print(sentence) }
    }
    HSLinkClass.use(host.switchboard)

    await host.start()
    for argument in CommandLine.arguments.dropFirst() {
      let words = argument.split(separator: ":", maxSplits: 2).map(String.init)
      if words.count > 1 {
        let link = HSLinkClass.shareObject()
        let answer = await link.callObject(class: words[0], method: words[1], param: words.dropFirst(2).first)
        print(answer.value ?? "no answer")
      } else {
        let installed = try await host.install(argument)
        try await host.load(installed.module)
        print("installed \(installed.module)")
      }
    }
    await host.markHealthy()
  }
}
