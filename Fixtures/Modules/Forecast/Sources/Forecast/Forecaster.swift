/// Says what the weather will be: the plugin's to offer, the host's to use.
public protocol Forecaster: Sendable {
  /// The forecast for a city.
  func forecast(for city: String) throws -> Forecast
}

/// What is to be expected.
public struct Forecast: Sendable, CustomStringConvertible {
  /// Where.
  public let city: String
  /// In degrees Celsius.
  public let temperature: Int

  /// Makes a forecast.
  public init(city: String, temperature: Int) {
    self.city = city
    self.temperature = temperature
  }

  /// The forecast as a line.
  public var description: String { "\(city): \(temperature) degrees" }
}
