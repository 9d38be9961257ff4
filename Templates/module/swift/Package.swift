// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "{{name}}",
  platforms: [.macOS(.v15)],
  products: [.library(name: "{{target}}", type: .dynamic, targets: ["{{target}}"])],
  dependencies: [{{dependency}}],
  targets: [
    .target(
      name: "{{target}}",
      dependencies: [
        .product(name: "CSignetPlugin", package: "{{signet}}"),
        .product(name: "PluginKit", package: "{{signet}}"),
      ]){{tests}}
  ],
  swiftLanguageModes: [.v6]
)
