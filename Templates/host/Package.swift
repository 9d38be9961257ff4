// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "{{name}}",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "{{name}}", targets: ["Host"])],
  dependencies: [{{dependency}}],
  targets: [
    .executableTarget(
      name: "Host",
      dependencies: [
{{products}}
      ])
  ],
  swiftLanguageModes: [.v6]
)
