import Dispatch
import Foundation
import PTLaunchFace
import PluginKit
import Testing

/// What was heard, in its order, from whatever thread.
final class Heard: @unchecked Sendable {
  private let queue = DispatchQueue(label: "heard")
  private var texts: [String] = []

  func add(_ text: String) { queue.sync { texts.append(text) } }
  func clear() { queue.sync { texts = [] } }
  var all: [String] { queue.sync { texts } }
}

/// An object that only its identity tells from others.
final class Anything: Sendable {}

/// No test waits that long: only an answer ends such a wait.
let patience = Duration.seconds(3600)

/// A module that declares what it is given.
func context(
  _ switchboard: Switchboard, _ identifier: String = "com.example.a", routes: [String] = [],
  targets: [String: [String]] = [:], services: [String] = []
) throws -> ModuleContext {
  switchboard.context(
    for: try ModuleDeclaration(
      identifier: identifier, routes: routes,
      targets: targets.mapValues { actions in Dictionary(uniqueKeysWithValues: actions.map { ($0, true) }) },
      services: services))
}

/// A property list in one of the formats.
func plist(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat = .xml) throws -> [UInt8] {
  Array(try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
}

/// Runs something that has to be refused with this code.
@discardableResult func expectPluginError<Result>(
  _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> PluginError? {
  do {
    let result = try body()
    Issue.record("gave \(result) instead of \(code)", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? PluginError)?.code == code, "\(error)", sourceLocation: sourceLocation)
    return error as? PluginError
  }
  return nil
}

/// Calls something by its name, and gives the error that has to come.
func invocationError(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws(PTInvocationError) -> (any Sendable)?
) -> PTInvocationError? {
  do throws(PTInvocationError) {
    let value = try body()
    Issue.record("gave \(String(describing: value))", sourceLocation: sourceLocation)
    return nil
  } catch { return error }
}

/// The launch files of the original's sample.
enum Sample {
  static var autoInitialize: [String: Any] { ["classes": ["TLUMShareConfigurator", "TLHarpyConfigurator"]] }
  static var autoRegistURL: [String: Any] {
    [
      "InnerJump://account/login": ["controller": "LoginViewController", "params": ["paramA": "", "paramB": ""]],
      "InnerJump://strategy/hero": ["controller": "HeroViewController", "params": ["heroID"]],
    ]
  }
  static var appConfigurator: [String: Any] {
    [
      "TLUMShareConfigurator": [
        "appkey": "5ae2e01a", "qqConfigDict": ["appkey": "b", "scheme": "QQ1234567://"],
        "weChatConfigDict": ["appkey": "e", "scheme": "wx1234567://"],
      ] as [String: Any],
      "TLHarpyConfigurator": ["isAppStore": true],
    ]
  }
  static var dataModules: [String: Any] { ["TLUserModuleContainer": "TLUserModule"] }

  /// The files, each in one format.
  static func files(
    _ changes: [String: Any] = [:], _ format: PropertyListSerialization.PropertyListFormat = .xml
  ) throws -> PTLaunchFiles {
    let all: [String: Any] = [
      "AutoInitialize.plist": autoInitialize, "AutoRegistURL.plist": autoRegistURL,
      "AppConfigurator.plist": appConfigurator, "DataModules.plist": dataModules,
    ]
    return .inProgram(try all.merging(changes) { $1 }.mapValues { try plist($0, format) })
  }
}
