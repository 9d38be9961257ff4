// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "host",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "signet", path: "../../..", traits: []), .package(path: "../Greeting")],
  targets: [
    .executableTarget(
      name: "Host",
      dependencies: [
        .product(name: "CSignetPlugin", package: "signet"), .product(name: "Greeting", package: "Greeting"),
        .product(name: "PluginKit", package: "signet"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
