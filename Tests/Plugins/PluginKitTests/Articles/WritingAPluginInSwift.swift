import CSignetPlugin
import PluginKit
import Testing

private final class Playlist: Sendable {
  var count: Int { 3 }
  func clear() {}
}

final class Player: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try context.register(route: "ui://player/:track") { request in
      "playing \(request.text("track") ?? "")"
    }
    try context.register(target: "Player", make: { Playlist() }) { actions in
      actions.add("count") { playlist, _ in playlist.count }
      actions.add("clear", isLocal: true) { playlist, _ in playlist.clear() }
    }
  }
}

/// The principal that module.json names.
@c(player_main) public func playerMain(
  _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
) -> Int32 { PluginEntry.enter(Player(), host, plugin) }

@Suite("The article on plugins in Swift") struct PlayerTests {
  @Test("the player does what the article says")
  func player() throws {
    let switchboard = Switchboard()
    try switchboard.enter(
      playerMain,
      ModuleDeclaration(
        identifier: "com.example.player", routes: ["ui://player/:track"],
        targets: ["Player": ["count": false, "clear": true]]))
    #expect(try switchboard.router.open("ui://player/7") as? String == "playing 7")
    #expect(try switchboard.targets.perform("app://Player/count") as? Int == 3)
    expectPluginError(.actionLocal) { try switchboard.targets.perform("app://Player/clear") }
  }
}
