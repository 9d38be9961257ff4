extension ModuleScaffold {
  /// The files of a plugin in Swift.
  var swiftFiles: [File] {
    [
      ignored(["/.build/"]), swiftMakefile, swiftPackage,
      readme(
        "Swift",
        "The Makefile's flags leave out search paths, bind every symbol at once and write a build-id: hosts give the plugin their own "
          + "PluginKit and Swift, and look for libraries in no folder. `make CONFIGURATION=debug` is for hosts that were built so."
      ),
      swiftSource, description,
    ]
  }

  private var target: String { capitalizedName + "Module" }

  private var swiftDependency: String {
    switch signet {
    case .checkout(let path): ".package(name: \"signet\", path: \"\(path)\")"
    case .repository(let url): ".package(url: \"\(url)\", from: \"\(SignetCommand.version)\")"
    }
  }

  private var swiftPackage: File {
    File(
      "Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name)",
        platforms: [.macOS(.v15)],
        products: [.library(name: "\(target)", type: .dynamic, targets: ["\(target)"])],
        dependencies: [\(swiftDependency)],
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

  private var swiftMakefile: File {
    File(
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

  private var swiftSource: File {
    File(
      "Sources/\(target)/\(capitalizedName)Plugin.swift",
      """
      import CSignetPlugin
      import PluginKit

      /// What module.json declares is registered here.
      final class \(capitalizedName)Plugin: Plugin {
        func moduleDidLoad(_ context: ModuleContext) throws {
          try context.register(route: "ui://\(name)") { _ in "\(name) is here" }
          try context.register(route: "ui://\(name)/:item") { request in "\(name) shows \\(request.text("item") ?? "")" }
        }
      }

      /// The principal that module.json names.
      @c(\(name)_main) public func \(name)Main(
        _ host: UnsafePointer<signet_host>?, _ plugin: UnsafeMutablePointer<signet_plugin>?
      ) -> Int32 { PluginEntry.enter(\(capitalizedName)Plugin(), host, plugin) }

      """)
  }
}
