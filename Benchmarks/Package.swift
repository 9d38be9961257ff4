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
  dependencies: [.package(name: "signet", path: "..")],
  targets: [
    .systemLibrary(
      name: "CBenchCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"]), .brew(["openssl@3"])]),
    .executableTarget(
      name: "SignetBench",
      dependencies: ["CBenchCrypto", .product(name: "Signet", package: "signet")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
