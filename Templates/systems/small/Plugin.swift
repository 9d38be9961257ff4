/// The page that the module opens with.
final class {{Name}}Controller: SMController {
  private let from: String
  init(parameters: [String: String]) { from = parameters["from"] ?? "nowhere" }
  var title: String { "{{name}}, from \(from)" }
}
