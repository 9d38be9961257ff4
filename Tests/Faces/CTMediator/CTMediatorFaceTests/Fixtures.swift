import CTMediatorFace
import Dispatch
import PluginKit
import Testing

/// What was heard, in its order, from whatever thread.
final class Heard: @unchecked Sendable {
  private let queue = DispatchQueue(label: "heard")
  private var texts: [String] = []

  func add(_ text: String) { queue.sync { texts.append(text) } }
  var all: [String] { queue.sync { texts } }
}

/// The page that the example of the four schemes gets, and touches.
final class ControllerC2: Sendable {
  let text: String
  private let touched: (@Sendable (String) -> Void)?

  init(_ text: String, _ touched: (@Sendable (String) -> Void)?) {
    self.text = text
    self.touched = touched
  }

  func touch() { touched?(text) }
}

/// The class `Target_BusinessC` of a module.
final class TargetBusinessC: Sendable {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  func Action_getViewControllerC_2(_ params: CTParams) -> (any Sendable)? {
    let text = "\(params["name"] ?? "")\(params["age"] ?? "")岁啦"
    return ControllerC2(text, params["touchBlock"] as? @Sendable (String) -> Void)
  }

  func itself(_ params: CTParams) -> TargetBusinessC { self }
  func echo(_ params: CTParams) -> CTParams { params }
  func notFound(_ params: CTParams) -> String { "\(params["k"] ?? "") is answered" }
  func nativePresentImage(_ params: CTParams) -> String { "presented" }

  static func register(in mediator: CTMediator, _ name: String = "BusinessC", module: String? = nil) throws {
    try mediator.register(name, in: module, make: { TargetBusinessC() }) { actions in
      actions.add("Action_getViewControllerC_2:", TargetBusinessC.Action_getViewControllerC_2)
      actions.add("Action_self:", TargetBusinessC.itself)
      actions.add("Action_echo:", TargetBusinessC.echo)
      actions.add("Action_nativePresentImage:", TargetBusinessC.nativePresentImage)
      actions.add("Action_secret:", isLocal: true) { _, _ in "secret" }
    }
  }

  /// The declaration of a module that has it.
  static func declaration(
    _ identifier: String = "com.example.c", target: String = "BusinessC"
  ) throws -> ModuleDeclaration {
    try ModuleDeclaration(
      identifier: identifier,
      targets: [
        target: [
          "getViewControllerC_2": false, "self": false, "echo": false, "nativePresentImage": true, "secret": true,
        ]
      ])
  }
}

/// The code of a failure; nil for a success.
func code(_ answer: RouteAnswer) -> PluginError.Code? {
  if case .failure(let error) = answer { error.code } else { nil }
}

/// Runs something that has to be refused with this code.
func expectCode<Result>(
  _ code: PluginError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) {
  do {
    let result = try body()
    Issue.record("gave \(result) instead of \(code)", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? PluginError)?.code == code, "\(error)", sourceLocation: sourceLocation)
  }
}
