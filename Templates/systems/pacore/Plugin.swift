/// The module's resources.
struct {{Name}}: PABundleDelegate {
  func resource(_ uri: PAURI) -> (any Sendable)? {
    "{{name}} shows \(uri.params?["id"] ?? "its first page")"
  }

  func bundleDidLoad() { print("{{name}} is loaded") }
}
