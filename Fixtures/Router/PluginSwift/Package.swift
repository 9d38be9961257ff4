// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "plugin-swift",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Guide", type: .dynamic, targets: ["Guide"])],
  dependencies: [.package(name: "signet", path: "../../..", traits: []), .package(path: "../Greeting")],
  targets: [
    .target(
      name: "Guide",
      dependencies: [
        .product(name: "CSignetPlugin", package: "signet"), .product(name: "Greeting", package: "Greeting"),
        .product(name: "PluginKit", package: "signet"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
