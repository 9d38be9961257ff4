/// What module.json declares is registered here.
final class {{Name}}Plugin: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try context.register(route: "ui://{{name}}") { _ in "{{name}} is here" }
    try context.register(route: "ui://{{name}}/:item") { request in "{{name}} shows \(request.text("item") ?? "")" }
  }
}
