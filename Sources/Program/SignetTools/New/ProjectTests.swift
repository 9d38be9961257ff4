internal import ArgumentParser
internal import SignetBase
internal import SignetCLI

/// The tests that a new plugin begins with.
struct ProjectTests: Sendable {
  /// What the tests are written for.
  enum Framework: String, CaseIterable, ExpressibleByArgument {
    /// No tests.
    case none
    /// Swift Testing.
    case swiftTesting = "swift-testing"
    /// XCTest.
    case xctest
    /// A program in C that calls the library as a host does.
    case program

    /// The language of plugins that can have such tests; nil for both.
    var language: NewModuleCommand.Language? {
      switch self {
      case .none: nil
      case .swiftTesting, .xctest: .swift
      case .program: .c
      }
    }

    /// Whether tests of pages can go with it: they have one test for each recorded text.
    var allowsViews: Bool { self == .swiftTesting }

    /// What a plugin in a language can begin with.
    static func choices(for language: NewModuleCommand.Language) -> [Self] {
      allCases.filter { $0.language == nil || $0.language == language }
    }
  }

  var framework = Framework.none
  /// Whether pages are compared with recorded texts.
  var hasViews = false

  // MARK: Swift

  /// The target of the tests, as Package.swift has it after the module's.
  func packageTarget(for module: ModuleScaffold) -> String {
    guard framework.language == .swift else { return "" }
    let views = hasViews ? ", exclude: [\"Views\"]" : ""
    return """
      ,
          .testTarget(name: "\(module.target)Tests", dependencies: ["\(module.target)"]\(views)),
      """
  }

  /// The rule of a Makefile that runs the tests.
  func swiftMakeRule(for module: ModuleScaffold) throws(SignetError) -> String {
    framework.language == .swift ? try module.templates.part("module/swift/test.mk") : ""
  }

  func swiftFiles(for module: ModuleScaffold) throws(SignetError) -> [ScaffoldFile] {
    let place = "Tests/\(module.target)Tests/\(module.capitalizedName)"
    var files: [ScaffoldFile] = []
    switch framework {
    case .swiftTesting: files.append(try file("\(place)Tests.swift", "module/swift/SwiftTesting.swift", module))
    case .xctest: files.append(try file("\(place)Tests.swift", "module/swift/XCTest.swift", module))
    case .none, .program: break
    }
    if hasViews {
      let views = "Tests/\(module.target)Tests/Views"
      files += [
        try file("\(place)ViewTests.swift", "module/swift/Views.swift", module),
        ScaffoldFile("\(views)/first.txt", "\(module.name) is here\n"),
        ScaffoldFile("\(views)/item.txt", "\(module.name) shows 7\n"),
      ]
    }
    return files
  }

  // MARK: C

  /// The rule of a Makefile that builds the tests and runs them.
  func cMakeRule(for module: ModuleScaffold) throws(SignetError) -> String {
    framework == .program ? try module.templates.part("module/c/test.mk") : ""
  }

  func cFiles(for module: ModuleScaffold) throws(SignetError) -> [ScaffoldFile] {
    framework == .program ? [try file("Tests/main.c", "module/c/main.c", module)] : []
  }

  private func file(
    _ path: String, _ template: String, _ module: ModuleScaffold
  ) throws(SignetError) -> ScaffoldFile {
    ScaffoldFile(path, try module.templates.text(template, module.values))
  }
}
