/// What module.json declares is registered here.
final class {{Name}}Plugin: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try JLRouter(context).global().addRoute("/{{name}}/:item") { parameters in
      print("{{name}} shows \(parameters["item"] ?? "")")
      return true
    }
  }
}
