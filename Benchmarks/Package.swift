// swift-tools-version: 6.2
import PackageDescription

/// The settings of the library's own targets.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "signet-benchmarks",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "signet-bench", targets: ["SignetBench"])],
  dependencies: [
    .package(name: "signet", path: "..", traits: []),
    // What the router is measured against; nothing else uses it.
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
  ],
  targets: [
    .systemLibrary(
      name: "CBenchCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"]), .brew(["openssl@3"])]),
    .systemLibrary(name: "CBenchClock"),
    .executableTarget(
      name: "SignetBench",
      dependencies: [
        "CBenchClock", "CBenchCrypto", .product(name: "Signet", package: "signet"),
        .product(name: "Keyless", package: "signet"),
        // PluginKit comes with it, in the program itself.
        .product(name: "ModuleRegistry", package: "signet"),
        .product(name: "ModuleStore", package: "signet"), .product(name: "PluginHost", package: "signet"),
        .product(name: "ModuleResolver", package: "signet"),
        .product(name: "CTMediatorFace", package: "signet"), .product(name: "HSLinkFace", package: "signet"),
        .product(name: "JLRoutesFace", package: "signet"), .product(name: "MGJRouterFace", package: "signet"),
        .product(name: "PACoreFace", package: "signet"), .product(name: "PTRouterFace", package: "signet"),
        .product(name: "SmallFace", package: "signet"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ],
      // Locks of open files hide behind it.
      cSettings: [.define("_GNU_SOURCE")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
