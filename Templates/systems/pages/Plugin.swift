/// The pages that the module has.
enum {{Name}}Pages {
  static func first() -> String { "{{name}} is here" }
  static func item(_ item: String) -> String { "{{name}} shows \(item)" }
}

/// What module.json declares is registered here.
final class {{Name}}Plugin: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try context.register(route: "ui://{{name}}") { _ in {{Name}}Pages.first() }
    try context.register(route: "ui://{{name}}/:item") { request in
      {{Name}}Pages.item(request.text("item") ?? "")
    }
  }
}
