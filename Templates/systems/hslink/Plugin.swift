/// What the host asks for.
struct {{Name}}Supply: Sendable {
  func show(_ param: (any Sendable)?) -> String { "{{name}} shows \(param ?? "its first page")" }
}

/// What module.json declares is registered here.
final class {{Name}}Plugin: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try HSLinkClass(context).supply("{{Name}}Supply", make: { {{Name}}Supply() }) { methods in
      methods.add("show:", {{Name}}Supply.show)
    }
  }
}
