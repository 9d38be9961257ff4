// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "sample-host",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "signet", path: "../.."), .package(path: "../Modules/Forecast")],
  targets: [
    .target(name: "StoreFront"),
    .executableTarget(
      name: "Host",
      dependencies: [
        "StoreFront", .product(name: "Forecast", package: "Forecast"),
        .product(name: "ModuleFetch", package: "signet"), .product(name: "PluginHost", package: "signet"),
        .product(name: "PluginKit", package: "signet"),
      ]),
    // The program of docs/guides/write-a-host.md.
    .executableTarget(
      name: "GuideHost",
      dependencies: [
        .product(name: "PluginHost", package: "signet"), .product(name: "PluginKit", package: "signet"),
        .product(name: "Signet", package: "signet"),
      ]),
    // The program of docs/migrating/pacore.md.
    .executableTarget(
      name: "PACoreHost",
      dependencies: [
        .product(name: "ModuleFetch", package: "signet"), .product(name: "PACoreFace", package: "signet"),
        .product(name: "PluginHost", package: "signet"), .product(name: "PluginKit", package: "signet"),
        .product(name: "Signet", package: "signet"),
      ]),
    // The program of docs/migrating/small.md.
    .executableTarget(
      name: "SmallHost",
      dependencies: [
        .product(name: "PluginHost", package: "signet"), .product(name: "PluginKit", package: "signet"),
        .product(name: "Signet", package: "signet"), .product(name: "SmallFace", package: "signet"),
      ]),
    // The program of docs/migrating/small-web.md.
    .executableTarget(
      name: "SmallWebHost",
      dependencies: [
        .product(name: "PluginHost", package: "signet"), .product(name: "PluginKit", package: "signet"),
        .product(name: "Signet", package: "signet"), .product(name: "SmallFace", package: "signet"),
      ]),
    .testTarget(name: "StoreFrontTests", dependencies: ["StoreFront"]),
  ],
  swiftLanguageModes: [.v6]
)
