// swift-tools-version: 6.2
import PackageDescription

// Its private library is built before it, from Morse/: see ../build.
let package = Package(
  name: "codec",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Codec", type: .dynamic, targets: ["Codec"])],
  dependencies: [.package(name: "signet", path: "../../..", traits: [])],
  targets: [
    .systemLibrary(name: "CMorse"),
    .target(
      name: "Codec",
      dependencies: [
        "CMorse", .product(name: "CSignetPlugin", package: "signet"), .product(name: "PluginKit", package: "signet"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
