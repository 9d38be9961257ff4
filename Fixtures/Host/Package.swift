// swift-tools-version: 6.2
import PackageDescription

/// What every program here needs of Signet.
let signet: [Target.Dependency] = [
  .product(name: "PluginHost", package: "signet"), .product(name: "PluginKit", package: "signet"),
  .product(name: "Signet", package: "signet"),
]

/// A host with the calls of another system.
func host(_ name: String, _ face: String, also: [Target.Dependency] = []) -> Target {
  .executableTarget(name: name, dependencies: signet + [.product(name: face, package: "signet")] + also)
}

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
    // Programs that verify and sign, which load nothing: Fixtures/README.md.
    .executableTarget(name: "VerifyFile", dependencies: [.product(name: "Signet", package: "signet")]),
    .executableTarget(name: "SignRelease", dependencies: [.product(name: "Signet", package: "signet")]),
    // The program of docs/guides/write-a-host.md.
    .executableTarget(name: "GuideHost", dependencies: signet),
    // The programs of docs/migrating, and the category that one of them calls.
    .target(
      name: "BusinessCCategory",
      dependencies: [
        .product(name: "CTMediatorFace", package: "signet"), .product(name: "PluginKit", package: "signet"),
      ]),
    host("CTMediatorHost", "CTMediatorFace", also: ["BusinessCCategory"]),
    host("HSLinkHost", "HSLinkFace"),
    host("JLRoutesHost", "JLRoutesFace"),
    host("MGJRouterHost", "MGJRouterFace"),
    host("PACoreHost", "PACoreFace", also: [.product(name: "ModuleFetch", package: "signet")]),
    host("PTRouterHost", "PTRouterFace"),
    host("SmallHost", "SmallFace"),
    host("SmallWebHost", "SmallFace"),
    // A-1, which asks the module Answer with the calls of every system.
    host(
      "AnswerHost", "CTMediatorFace",
      also: ["HSLinkFace", "JLRoutesFace", "MGJRouterFace", "PACoreFace", "PTRouterFace", "SmallFace"]
        .map { .product(name: $0, package: "signet") }),
    // The programs that signet new host --like begins.
    host("NewCTMediatorHost", "CTMediatorFace"),
    host("NewHSLinkHost", "HSLinkFace"),
    host("NewJLRoutesHost", "JLRoutesFace"),
    host("NewMGJRouterHost", "MGJRouterFace"),
    host("NewPTRouterHost", "PTRouterFace"),
    host("NewSmallHost", "SmallFace"),
    host("NewSmallWebHost", "SmallFace"),
    .testTarget(name: "StoreFrontTests", dependencies: ["StoreFront"]),
  ],
  swiftLanguageModes: [.v6]
)
