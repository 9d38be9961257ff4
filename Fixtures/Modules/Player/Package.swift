// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "player",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Player", type: .dynamic, targets: ["Player"])],
  dependencies: [.package(name: "signet", path: "../../..", traits: [])],
  targets: [
    .target(
      name: "Player",
      dependencies: [
        .product(name: "CSignetPlugin", package: "signet"), .product(name: "PluginKit", package: "signet"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
