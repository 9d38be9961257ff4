// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "weather",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Weather", type: .dynamic, targets: ["Weather"])],
  dependencies: [.package(name: "signet", path: "../../..", traits: []), .package(path: "../Forecast")],
  targets: [
    .target(
      name: "Weather",
      dependencies: [
        .product(name: "CSignetPlugin", package: "signet"), .product(name: "Forecast", package: "Forecast"),
        .product(name: "PluginKit", package: "signet"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
