// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "plugin-c",
  products: [
    .library(name: "Asker", type: .dynamic, targets: ["Asker"]),
    .library(name: "Desk", type: .dynamic, targets: ["Desk"]),
  ],
  dependencies: [.package(name: "signet", path: "../../..", traits: [])],
  targets: [
    .target(
      name: "Asker", dependencies: [.product(name: "CSignetPlugin", package: "signet")], publicHeadersPath: ".",
      // The table of functions that Desk offers: its header, and nothing of its code.
      cSettings: [.headerSearchPath("../Desk/include")]),
    .target(name: "Desk", dependencies: [.product(name: "CSignetPlugin", package: "signet")]),
  ],
  cLanguageStandard: .c11
)
