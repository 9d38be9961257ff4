internal import PTRouterFace
internal import PluginKit
internal import PropertyLists
internal import SignetBase

/// A launch file: a dictionary.
struct LaunchFile {
  let name: String
  let values: [String: PropertyList]

  /// The nesting that is read: settings within settings.
  private static let depthLimit = 16
  /// How many values are read: as many as fit in the greatest file, at some fifty bytes each.
  private static let valueLimit = 20_000

  /// Reads a file; nil if it is missing.
  ///
  /// - Throws: `launch.file`, whose cause says more.
  init?(_ name: String, _ files: PTLaunchFiles) throws(PluginError) {
    self.name = name
    let bytes: [UInt8]
    do throws(SignetError) {
      guard let found = try files.read(name) else { return nil }
      bytes = found
    } catch { throw PluginError(.launchFile, PluginURL.shown(name), "is refused, or cannot be read", cause: error) }
    let list: PropertyList
    do throws(SignetError) {
      list = try PropertyList(bytes, limits: .init(depth: Self.depthLimit, values: Self.valueLimit))
    } catch {
      throw PluginError(
        .launchFile, PluginURL.shown(name), "is not a property list", expected: "an XML or binary property list",
        cause: error, hint: "correct the file")
    }
    guard case .dictionary(let values) = list else { throw Self.malformed(name, "is not a dictionary", list) }
    self.values = values
  }

  /// The entries, sorted by their names, because a dictionary has no order.
  var sorted: [(key: String, value: PropertyList)] { values.sorted { $0.key < $1.key } }

  static func malformed(_ place: String, _ message: String, _ found: PropertyList) -> PluginError {
    PluginError(.launchFile, PluginURL.shown(place), message, found: found.kind, hint: "correct the file")
  }
}

/// `AutoInitialize.plist`: the classes to initialize, in order.
struct AutoInitialize {
  static let name = "AutoInitialize.plist"
  private static let key = "classes"

  let classes: [String]
  let unknownKeys: [String]

  /// - Throws: `launch.file`, also if one of the names is not a text.
  init?(_ files: PTLaunchFiles) throws(PluginError) {
    guard let file = try LaunchFile(Self.name, files) else { return nil }
    unknownKeys = file.values.keys.filter { $0 != Self.key }.sorted()
    guard let list = file.values[Self.key] else {
      classes = []
      return
    }
    guard case .array(let names) = list else {
      throw LaunchFile.malformed("\(file.name): \(Self.key)", "is not a list of classes", list)
    }
    classes = try names.enumerated().map { (index, name) throws(PluginError) in
      guard case .string(let text) = name else {
        throw LaunchFile.malformed("\(file.name): \(Self.key)[\(index)]", "is not the name of a class", name)
      }
      return text
    }
  }
}

/// `AppConfigurator.plist`: the settings of each class.
struct AppConfigurator {
  static let name = "AppConfigurator.plist"

  private let file: LaunchFile?

  /// - Throws: `launch.file`.
  init(_ files: PTLaunchFiles) throws(PluginError) { file = try LaunchFile(Self.name, files) }

  /// The settings of a class; empty if it has none.
  ///
  /// - Throws: `launch.entry` if they are no dictionary.
  func settings(of className: String) throws(PluginError) -> [String: any Sendable] {
    guard let file, let value = file.values[className] else { return [:] }
    guard case .dictionary(let settings) = value else {
      throw PluginError(
        .launchEntry, PluginURL.shown(className), "has settings that are not a dictionary", expected: "a dictionary",
        found: value.kind, hint: "correct AppConfigurator.plist")
    }
    return settings.compactMapValues(\.sendable)
  }
}

/// An entry of `AutoRegistURL.plist`: the class of a URL, and the parameters that it takes.
struct URLEntry {
  let controller: String
  let parameters: RouteParameters

  private static let controllerKey = "controller"
  private static let parametersKey = "params"

  /// Reads an entry.
  ///
  /// - Parameters:
  ///   - value: the entry.
  ///   - url: its URL.
  ///   - unknownKeys: receives the keys that have no meaning here.
  /// - Throws: `launch.entry`.
  init(_ value: PropertyList, of url: String, unknownKeys: inout [String]) throws(PluginError) {
    guard case .dictionary(let fields) = value else {
      throw Self.wrong(url, "is not described", expected: "a dictionary with controller and params", found: value)
    }
    unknownKeys += fields.keys.filter { ![Self.controllerKey, Self.parametersKey].contains($0) }.sorted()
      .map { "\(url).\($0)" }
    guard case .string(let name)? = fields[Self.controllerKey] else {
      throw Self.wrong(url, "has no controller", expected: "the name of a class", found: fields[Self.controllerKey])
    }
    controller = name
    parameters = try Self.parameters(fields[Self.parametersKey], url)
  }

  /// A list names the parameters that have to be there. A dictionary also has values for those that are missing.
  private static func parameters(_ value: PropertyList?, _ url: String) throws(PluginError) -> RouteParameters {
    switch value {
    case nil: return RouteParameters([])
    case .dictionary(let defaults): return RouteParameters([], defaults: defaults.compactMapValues(\.sendable))
    case .array(let values):
      return RouteParameters(
        try values.map { (name) throws(PluginError) in
          guard case .string(let text) = name else {
            throw wrong(url, "has a parameter whose name is not a text", expected: "a text", found: name)
          }
          return text
        })
    case let other: throw wrong(url, "has params of another form", expected: "a list or a dictionary", found: other)
    }
  }

  private static func wrong(
    _ url: String, _ message: String, expected: String, found: PropertyList?
  ) -> PluginError {
    PluginError(
      .launchEntry, PluginURL.shown(url), message, expected: expected, found: found?.kind ?? "nothing",
      hint: "correct AutoRegistURL.plist")
  }
}
