// swift-tools-version: 6.2
import PackageDescription

// What a plugin must not do: it compiles PluginKit into itself. Its sources are the repository's, by symbolic links.
let package = Package(
  name: "plugin-copy",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Copy", type: .dynamic, targets: ["Copy"])],
  targets: [
    .target(name: "CSignetPlugin"),
    .target(name: "PluginKit", dependencies: ["CSignetPlugin"]),
    .target(name: "Copy", dependencies: ["CSignetPlugin", "PluginKit"]),
  ],
  swiftLanguageModes: [.v6]
)
