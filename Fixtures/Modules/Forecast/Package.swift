// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "forecast",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Forecast", type: .dynamic, targets: ["Forecast"])],
  targets: [.target(name: "Forecast")],
  swiftLanguageModes: [.v6]
)
