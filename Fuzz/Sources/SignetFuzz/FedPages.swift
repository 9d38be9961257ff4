import Signet

@testable import SignetNames
@testable import SmallFace
@testable import SmallWebFace

/// What web pages post, say about themselves and ask for.
enum FedPages {
  /// A message is a call or says what the page looks like, within limits; its values are scripts that read the same again.
  /// A URL leads to a file in its own module, by one path.
  static func feedMessage(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    feedURL(text)
    if let value = try? SMWebValue(json: text, limits: SMWebMessage.limits) {
      let json = value.json
      require(!json.utf8.contains { $0 == UInt8(ascii: "<") || $0 < 0x20 }, "a value ends a script")
      require(!json.unicodeScalars.contains { $0 == "\u{2028}" || $0 == "\u{2029}" }, "a value ends a text")
      // Escapes take more room, and numbers that are not whole have another text.
      var limits = SMWebMessage.limits
      limits.size *= 6
      require((try? SMWebValue(json: json, limits: limits)) == value, "a value changed")
    }
    switch try? SMWebMessage(text) {
    case .invoke(let id, let method, _):
      require(id > 0 && id <= Int(Int32.max), "a call has no number")
      require(method.utf8.count <= 256, "a method has a long name")
      guard let known = try? SMJSMethod(method) else { return }
      require(known.pattern.text.utf8.starts(with: "smalljs://".utf8), "a method is another route")
      require(known.pattern.expansions.count == 1, "a method is several routes")
    case .ready(let title, let metas):
      require(title.utf8.count <= SMWebMessage.titleLimit, "a title is too long")
      require(SMBarItemParser.items(metas).count <= 3, "a page has more than three items")
    case nil: break
    }
    _ = SMWebClosing.Answer(text)
  }

  private static func feedURL(_ text: String) {
    guard let module = ModuleIdentifier("a.b"), let other = ModuleIdentifier("a.c") else {
      return require(false, "an identifier cannot be read")
    }
    let address = SMWebAddress()
    let origin = address.origin(module)
    for url in [text, origin + text, origin + "/" + text] {
      require(address.path(of: url, in: other) == nil || !url.hasPrefix(origin), "a URL leads to another module")
      guard let path = address.path(of: url, in: module) else { continue }
      require(address.isOfModule(url), "a module's URL is one of the web")
      let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      require(
        names.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) },
        "a path leads out")
      require(!path.utf8.contains(0), "a path ends early")
      require(address.path(of: address.url(module, path: path, query: text), in: module) == path, "a path changed")
    }
  }

  /// A content has the fields that it has when they are written with quotes, and an item of a known kind.
  static func feedBar(_ bytes: [UInt8]) {
    let content = String(decoding: bytes, as: UTF8.self)
    let fields = SMBarItemParser.fields(content)
    require(content.utf8.count <= 4096 || fields.isEmpty, "a long content was read")
    for (name, value) in fields where !name.isEmpty && name.utf8.allSatisfy({ (0x61...0x7a).contains($0) }) {
      let quoted = value.unicodeScalars.reduce("") { $0 + ($1 == "'" || $1 == "\\" ? "\\\($1)" : String($1)) }
      let written = "other=1,\(name)='\(quoted)',other=2"
      guard written.utf8.count <= 4096 else { continue }
      require(SMBarItemParser.fields(written)[name] == value, "a field changed")
    }
    guard let item = SMBarItemParser.item(.right, content) else { return }
    require(item.kind.map { $0 != "share" && SMBarItemParser.types.contains($0) } ?? true, "a kind is not known")
    require((item.kind == nil) == (item.title != nil), "an item is neither its kind nor its title")
  }
}
