internal import Signet

/// The files of a new host.
struct HostScaffold {
  let name: String
  let identifier: ModuleIdentifier
  let signet: SignetSource
  let style: any ProjectStyle

  /// The program's path in the project, as it is built.
  var program: String { ".build/release/\(name)" }

  var files: [ScaffoldFile] {
    [
      .ignored(["/.build/", "/modules/"] + style.hostLeaves), makefile, package, readme,
      ScaffoldFile("Sources/Host/Host.swift", style.hostProgram(self)),
    ] + style.hostFiles(self)
  }

  private var makefile: ScaffoldFile {
    ScaffoldFile(
      "Makefile",
      """
      # make builds the host, .build/release/\(name). Plugins must be built in the same configuration.
      CONFIGURATION ?= release

      host:
      \tswift build $(SWIFT_BUILD_FLAGS) -c $(CONFIGURATION)

      .PHONY: host

      """)
  }

  private var package: ScaffoldFile {
    let products = (["PluginHost", "PluginKit", "Signet"] + style.hostProducts).sorted()
      .map { "        .product(name: \"\($0)\", package: \"\(signet.identity)\")," }
    return ScaffoldFile(
      "Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name)",
        platforms: [.macOS(.v15)],
        products: [.executable(name: "\(name)", targets: ["Host"])],
        dependencies: [\(signet.dependency)],
        targets: [
          .executableTarget(
            name: "Host",
            dependencies: [
      \(products.joined(separator: "\n"))
            ])
        ],
        swiftLanguageModes: [.v6]
      )

      """)
  }

  /// The pattern of the identifiers beside and below the host's.
  private var modules: String {
    "\(identifier)".split(separator: ".").dropLast().joined(separator: ".") + ".**"
  }

  private var readme: ScaffoldFile {
    ScaffoldFile(
      "README.md",
      """
      # \(name.prefix(1).uppercased() + name.dropFirst())

      A host: a program that verifies plugins, and loads those that its policy accepts.

      ```sh
      make                                           # builds the program
      signet keygen --out publisher                  # once, by the publisher of the plugins
      signet trust init trust.json
      signet trust add trust.json --name publisher --key publisher.pub \\
          --modules '\(modules)'\(style.trusted)
      \(style.hostCommands(self).joined(separator: "\n"))
      ```

      \(style.trial)

      - `trust.json` is the host's policy: it names the keys that the host trusts, and for which modules. Ship it with the program. Only root and the user who runs
        the host may have write access to it and to the folders above it.
      - `modules` is the folder of installed plugins.
      - Ship `libPluginKit.so` with the program: the host and its plugins share it.

      """)
  }
}
