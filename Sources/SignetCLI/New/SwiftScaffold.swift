extension ModuleScaffold {
  /// The files of a plugin in Swift.
  var swiftFiles: [ScaffoldFile] {
    [
      .ignored(["/.build/", "/module/"]), swiftMakefile, swiftPackage,
      readme(
        "Swift",
        "The Makefile's flags leave out search paths, bind every symbol at once and write a build-id: hosts give the plugin their own "
          + "PluginKit and Swift, and look for libraries in no folder. `make CONFIGURATION=debug` is for hosts that were built so."
      ),
      swiftSource, description,
    ]
  }

  private var target: String { capitalizedName + "Module" }

  private var swiftPackage: ScaffoldFile {
    ScaffoldFile(
      "Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name)",
        platforms: [.macOS(.v15)],
        products: [.library(name: "\(target)", type: .dynamic, targets: ["\(target)"])],
        dependencies: [\(signet.dependency)],
        targets: [
          .target(
            name: "\(target)",
            dependencies: [
              .product(name: "CSignetPlugin", package: "\(signet.identity)"),
              .product(name: "PluginKit", package: "\(signet.identity)"),
            ])
        ],
        swiftLanguageModes: [.v6]
      )

      """)
  }

  private var swiftMakefile: ScaffoldFile {
    ScaffoldFile(
      "Makefile",
      """
      # make builds the module into module/, which signet pack takes.
      CONFIGURATION ?= release
      LIBRARY := .build/$(CONFIGURATION)/lib\(target).so

      \(assembly)

      # The package manager knows what has changed.
      $(LIBRARY): FORCE
      \tswift build $(SWIFT_BUILD_FLAGS) -c $(CONFIGURATION) -Xswiftc -no-toolchain-stdlib-rpath --disable-local-rpath \\
      \t\t-Xlinker -z -Xlinker now -Xlinker --build-id -Xlinker -s

      FORCE:

      """)
  }

  private var swiftSource: ScaffoldFile {
    ScaffoldFile(
      "Sources/\(target)/\(capitalizedName)Plugin.swift",
      """
      \((["CSignetPlugin", "PluginKit"] + style.pluginImports).sorted().map { "import \($0)" }.joined(separator: "\n"))

      \(style.plugin(name, capitalizedName))

      /// The principal that module.json names.
      @c(\(name)_main) public func \(name)Main(
        _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
      ) -> Int32 { PluginEntry.enter(\(style.principal(capitalizedName)), host, plugin) }

      """)
  }
}
