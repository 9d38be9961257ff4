/// The class that was Target_{{Name}}.
struct Target{{Name}}: Sendable {
  func show(_ params: CTParams) -> String { "{{name}} shows \(params["item"] ?? "its first page")" }
}

/// What module.json declares is registered here.
final class {{Name}}Plugin: Plugin {
  func moduleDidLoad(_ context: ModuleContext) throws {
    try CT(context).register("{{Name}}", make: { Target{{Name}}() }) { actions in
      actions.add("Action_show:", Target{{Name}}.show)
    }
  }
}
