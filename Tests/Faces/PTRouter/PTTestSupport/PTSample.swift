import PTLaunchFace
import PluginKit

/// The components of the original's sample.
@MainActor final class TLUMShareConfigurator: AppLaunchProtocol, PTConfigurable {
  private(set) static var made: [TLUMShareConfigurator] = []
  static func forget() { made = [] }

  var appkey: String?
  var qqConfigDict: [String: String] = [:]
  var weChatConfigDict: [String: any Sendable]?
  private(set) var calls = 0

  static var settings: [String: PTSetting<TLUMShareConfigurator>] {
    [
      "appkey": PTSetting(\.appkey), "qqConfigDict": PTSetting(\.qqConfigDict),
      "weChatConfigDict": PTSetting(\.weChatConfigDict),
    ]
  }

  init() {}

  func initializeWhenLaunch() {
    calls += 1
    Self.made.append(self)
  }
}

@MainActor final class TLHarpyConfigurator: AppLaunchProtocol, PTConfigurable {
  var isAppStore = false
  var weight = 0.0
  let heard: Heard

  static var settings: [String: PTSetting<TLHarpyConfigurator>] {
    ["isAppStore": PTSetting(\.isAppStore), "weight": PTSetting(\.weight)]
  }

  init() { heard = Heard() }
  init(_ heard: Heard) { self.heard = heard }
  deinit { heard.add("gone") }

  func initializeWhenLaunch() { heard.add("harpy \(isAppStore)") }
}

/// A page that presents itself if it may.
@MainActor final class HeroViewController: IoCObjectProtocol, PTRouterVCProtocol {
  let param: [String: any Sendable]
  private let presents: Bool

  init(param: [String: any Sendable]) {
    self.param = param
    presents = true
  }

  init(_ param: [String: any Sendable], presents: Bool) {
    self.param = param
    self.presents = presents
  }

  func presentingSelf() -> Bool { presents }
}
