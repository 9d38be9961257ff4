import CSignetPlugin
import Glibc
import PluginKit

/// A module as its signed description would name it.
struct Module {
  let library: String
  let principal: String
  let declaration: ModuleDeclaration

  /// The modules that this host knows.
  static func known() throws(PluginError) -> [Module] {
    [
      try Module(
        "guide",
        ModuleDeclaration(
          identifier: "com.example.guide",
          routes: ["demo://guide/c2/:name", "demo://guide/a1/:scheme", "demo://guide/greeter", "demo://guide/cast"],
          targets: ["guide": ["greet": false, "visit": true]], services: ["Greeter"])),
      try Module(
        "desk",
        ModuleDeclaration(
          identifier: "com.example.desk",
          routes: ["demo://desk/c2/:name", "demo://desk/twice", "demo://desk/later", "demo://desk/never"],
          targets: ["desk": ["greet": false]], services: ["desk.greeter"])),
      try Module(
        "asker",
        ModuleDeclaration(identifier: "com.example.asker", routes: ["demo://asker/a1/:module/:scheme"])),
      try Module(
        "copy", ModuleDeclaration(identifier: "com.example.copy", routes: ["demo://copy/c2/:name"])),
    ]
  }

  private init(_ name: String, _ declaration: ModuleDeclaration) {
    library = "lib\(name.prefix(1).uppercased())\(name.dropFirst()).so"
    principal = "\(name)_main"
    self.declaration = declaration
  }

  /// Loads the library and enters it: its principal is looked for in this image alone.
  func enter(_ path: String, _ board: Switchboard) throws {
    guard let image = dlopen(path, RTLD_NOW | RTLD_LOCAL) else { throw LoadingError(String(cString: dlerror())) }
    guard let symbol = dlsym(image, principal) else { throw LoadingError(String(cString: dlerror())) }
    try board.enter(unsafeBitCast(symbol, to: signet_principal.self), declaration)
  }
}

/// A library that cannot be loaded.
struct LoadingError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
