internal import PluginKit
internal import SignetBase

/// A message of a page, which may say anything.
enum SMWebMessage: Sendable, Equatable {
  /// The page calls a method.
  case invoke(id: Int, method: String, parameters: [String: SMWebValue])
  /// The document is there: its title, and what it says about the navigation bar.
  case ready(title: String, metas: [String: String])

  /// What a message may have: a photo of a page in base64, but no film.
  static let limits = JSONLimits(size: 1 << 20, depth: 32, values: 10_000)
  /// The greatest length of a title in bytes.
  static let titleLimit = 1024
  private static let methodLimit = 256

  /// Reads a message.
  ///
  /// - Throws: `web.message`.
  init(_ text: String) throws(PluginError) {
    let value: SMWebValue
    do throws(SignetError) { value = try SMWebValue(json: text, limits: Self.limits) } catch {
      throw Self.fault("cannot be read", cause: error)
    }
    guard let message = value.object, let type = message["type"]?.text else { throw Self.fault("has no type") }
    switch type {
    case "invoke":
      guard let id = message["id"]?.number.flatMap(Int.init(exactly:)), (1...Int(Int32.max)).contains(id),
        let method = message["method"]?.text, method.utf8.count <= Self.methodLimit
      else { throw Self.fault("does not say what it calls") }
      // A method takes its values by name, so parameters that are not an object are ignored.
      self = .invoke(id: id, method: method, parameters: message["parameters"]?.object ?? [:])
    case "ready":
      let title = message["title"]?.text ?? ""
      self = .ready(
        title: title.utf8.count <= Self.titleLimit ? title : "",
        metas: (message["metas"]?.object ?? [:]).compactMapValues(\.text))
    default: throw Self.fault("has a type that is not known")
    }
  }

  static func fault(_ message: String, cause: (any Error)? = nil) -> PluginError {
    PluginError(.webMessage, "a page's message", message, cause: cause)
  }
}

extension SMWebValue {
  /// Reads JSON.
  ///
  /// - Throws: `json.…`.
  init(json text: String, limits: JSONLimits) throws(SignetError) {
    self.init(try JSONReader.read(Array(text.utf8), limits: limits))
  }

  private init(_ value: JSONValue) {
    switch value.content {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .integer(let number): self = .number(Double(number))
    case .decimal(let text): self = Double(text).map { .number($0) } ?? .null
    case .string(let text): self = .text(text)
    case .array(let list): self = .list(list.map { SMWebValue($0) })
    case .object(let members): self = .object(Dictionary(members.map { ($0.name, SMWebValue($0.value)) }) { $1 })
    }
  }
}
