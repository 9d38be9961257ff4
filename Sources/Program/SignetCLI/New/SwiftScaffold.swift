extension ModuleScaffold {
  /// The files of a plugin in Swift.
  var swiftFiles: [ScaffoldFile] {
    [
      .ignored(["/.build/", "/module/"]), swiftMakefile, swiftPackage,
      readme(
        "Swift",
        "The Makefile's flags leave out search paths, bind every symbol at once and write a build-id: hosts give the plugin their own "
          + "PluginKit and Swift, and look for libraries in no folder. `make CONFIGURATION=debug` is for hosts that were built so. The build "
          + "fails if the plugin imports its host or another plugin: add to `IMPORTS` what they share. `make HOST=FOLDER` looks at a host, too."
      ),
      swiftSource, description,
    ] + tests.swiftFiles(for: self)
  }

  /// The name by which code imports the module.
  var target: String { capitalizedName + "Module" }

  /// The faces that the library PluginKit has, as Package.swift lists them. All others are for hosts.
  private static let faces = [
    "CTMediatorFace", "HSLinkFace", "JLRoutesFace", "MGJRouterFace", "PACoreFace", "PTRouterFace", "SmallFace",
  ]

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
            ])\(tests.packageTarget(for: self))
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

      # What the sources may import, besides the package's own targets and the faces in PluginKit. The host and other
      # modules are not on the list, because a module reaches them by name. Add what both sides share, such as the
      # protocol of a service.
      IMPORTS := CSignetPlugin PluginKit Dispatch Foundation FoundationEssentials FoundationInternationalization \\
      \tFoundationNetworking Glibc Observation RegexBuilder Swift Synchronization
      FACES := \(Self.faces.joined(separator: " "))
      IMPORTED = find $(1) -name '*.swift' -exec swiftc -emit-imported-modules -o - {} +

      # make HOST=FOLDER looks at the sources of a host, too: they may not import this module.
      imports:
      \t@imported=$$($(call IMPORTED,Sources)) || exit 1; for module in $$imported; do \\
      \t\tcase ' $(IMPORTS) $(FACES) $(notdir $(wildcard Sources/*)) ' in *" $$module "*) continue;; esac; \\
      \t\techo "Sources: imports $$module, but a module reaches its host and other modules by name;" \\
      \t\t\t"if both sides share $$module, add it to IMPORTS in the Makefile" >&2; \\
      \t\texit 1; \\
      \tdone
      ifdef HOST
      \t@imported=$$($(call IMPORTED,'$(HOST)/Sources')) || exit 1; for module in $$imported; do \\
      \t\t[ "$$module" != \(target) ] || \\
      \t\t\t{ echo '$(HOST): imports \(target), but a host reaches its modules by name' >&2; exit 1; }; \\
      \tdone
      endif

      .PHONY: imports
      module: imports

      # The package manager knows what has changed.
      $(LIBRARY): FORCE
      \tswift build $(SWIFT_BUILD_FLAGS) -c $(CONFIGURATION) -Xswiftc -no-toolchain-stdlib-rpath --disable-local-rpath \\
      \t\t-Xlinker -z -Xlinker now -Xlinker --build-id -Xlinker -s

      FORCE:
      \(tests.swiftMakeRule)
      """)
  }

  private var swiftSource: ScaffoldFile {
    ScaffoldFile(
      "Sources/\(target)/\(capitalizedName)Plugin.swift",
      """
      \((["CSignetPlugin", "PluginKit"] + style.pluginImports).sorted().map { "import \($0)" }.joined(separator: "\n"))

      \(style.plugin(name, capitalizedName))

      /// The principal that module.json names.
      @c(\(principal)) public func \(name)Main(
        _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
      ) -> Int32 { PluginEntry.enter(\(style.principal(capitalizedName)), host, plugin) }

      """)
  }
}
