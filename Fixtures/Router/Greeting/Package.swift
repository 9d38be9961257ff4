// swift-tools-version: 6.2
import PackageDescription

// What a host and its plugins share of their own: protocols and types. Like PluginKit it has to be one library in the
// process, or a type of the host's is not that of the plugin, whatever its name.
let package = Package(
  name: "greeting",
  platforms: [.macOS(.v15)],
  products: [.library(name: "Greeting", type: .dynamic, targets: ["Greeting"])],
  targets: [.target(name: "Greeting")],
  swiftLanguageModes: [.v6]
)
