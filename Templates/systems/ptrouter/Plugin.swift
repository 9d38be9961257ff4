/// What module.json declares is registered here.
final class {{Name}}Plugin: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try PTRouter(context).registerURL("InnerJump://{{name}}/show") { url, callback in
      print("{{name}} shows \(url.params["item"] ?? "its first page")")
      callback(true)
    }
  }
}
