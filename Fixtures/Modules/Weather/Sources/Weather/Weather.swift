import CSignetPlugin
import Forecast
import PluginKit

/// A service by its protocol, an event that is heard, and notifications that are heard and posted.
final class Weather: Plugin {
  private let station = Station()

  func moduleDidLoad(_ context: ModuleContext) throws {
    let station = station
    try context.provide((any Forecaster).self) { station }
    try context.register(route: "ui://weather") { _ in "cities: " + station.cities.joined(separator: ", ") }
    try context.register(route: "ui://weather/:city") { request in
      try station.forecast(for: request.text("city") ?? "")
    }
    // The host says when its screen is there: only then there is somebody to tell.
    try context.observe(.didBecomeActive) { [weak context] _ in
      try? context?.post("weather.ready", userInfo: ["cities": station.cities.count])
    }
    try context.observe(notification: "weather.measured") { [weak context] notification in
      guard let city = notification.userInfo["city"] as? String,
        let temperature = notification.userInfo["temperature"] as? Int
      else { return }
      station.note(temperature, in: city)
      try? context?.post("weather.changed", userInfo: ["forecast": Forecast(city: city, temperature: temperature)])
    }
  }
}

/// The principal.
@c(weather_main) public func weatherMain(
  _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
) -> Int32 { PluginEntry.enter(Weather(), host, plugin) }
