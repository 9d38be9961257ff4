/// What module.json declares is registered here.
final class {{Name}}Plugin: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try SmallModule(context).registerJSMethod("{{name}}") { parameters, callback in
      callback(["text": .text("{{name}} shows \(parameters["item"]?.text ?? "its first page")")])
    }
  }
}
