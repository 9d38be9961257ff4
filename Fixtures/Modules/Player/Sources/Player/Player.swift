import CSignetPlugin
import PluginKit

/// Two pages: the list of tracks, and one track.
final class Player: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    let catalogue = try Catalogue(context.resource("catalogue.txt"))
    try context.register(route: "ui://player") { _ in catalogue.page }
    try context.register(route: "ui://player/:track") { request in
      // What a host gives along crosses as the value that it is, types of PluginKit among them.
      let label = (request["label"] as? @Sendable (RouteRequest) -> String)?(request)
      guard let track = request.text("track").flatMap({ Int($0) }), let title = catalogue.title(of: track) else {
        throw PluginError(.routeFailed, request.url.text, "is no track of the catalogue")
      }
      return [label, "playing \(track): \(title)"].compactMap { $0 }.joined(separator: " ")
    }
  }
}

/// The principal.
@c(player_main) public func playerMain(
  _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
) -> Int32 { PluginEntry.enter(Player(), host, plugin) }
