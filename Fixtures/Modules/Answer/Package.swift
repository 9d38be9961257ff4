// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "answer",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Answer", type: .dynamic, targets: ["Answer"])],
  dependencies: [.package(name: "signet", path: "../../..", traits: [])],
  targets: [
    .target(
      name: "Answer",
      dependencies: [
        .product(name: "CSignetPlugin", package: "signet"), .product(name: "PluginKit", package: "signet"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
