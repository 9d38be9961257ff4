// swift-tools-version: 6.2
import PackageDescription

// Run it with Fuzz/run, which passes the compiler the flags of libFuzzer.
let package = Package(
  name: "signet-fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "signet", path: "..", traits: [])],
  targets: [
    .executableTarget(
      name: "SignetFuzz",
      dependencies: [
        .product(name: "CertificateAuthority", package: "signet"),
        .product(name: "Keyless", package: "signet"),
        .product(name: "ModelSignatures", package: "signet"),
        .product(name: "OtherSignatures", package: "signet"),
        .product(name: "ModuleFetch", package: "signet"), .product(name: "ModuleImages", package: "signet"),
        .product(name: "ModuleResolver", package: "signet"), .product(name: "ModuleSpec", package: "signet"),
        .product(name: "ModuleStore", package: "signet"),
        .product(name: "PluginHost", package: "signet"), .product(name: "PluginKit", package: "signet"),
        .product(name: "ReleaseGate", package: "signet"), .product(name: "Signet", package: "signet"),
        .product(name: "SignetTUF", package: "signet"), .product(name: "SmallFace", package: "signet"),
      ],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
