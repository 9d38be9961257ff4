/// What module.json declares is registered here.
final class {{Name}}Plugin: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try MGJRouter(context).registerURLPattern("mgj://{{name}}/:item", allowsFallback: false) { parameters in
      parameters.completion?("{{name}} shows \(parameters["item"] ?? "")")
    }
  }
}
