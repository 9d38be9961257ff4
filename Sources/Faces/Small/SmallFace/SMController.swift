internal import PluginKit

/// The controller of a page.
///
/// A conforming type is a class that a module exports by its name. A new one is made for each page.
///
/// ```swift
/// final class DetailController: SMController {
///   let from: String
///   init(parameters: [String: String]) { from = parameters["from"] ?? "" }
///   var title: String { "Detail" }
/// }
/// ```
public protocol SMController: AnyObject, Sendable {
  /// Makes the controller of a new page.
  ///
  /// - Parameter parameters: those of the URI that the module's description accepts for the page. A parameter of the
  ///   rule in `bundle.json` comes before one of the request.
  init(parameters: [String: String])

  /// The title of the page.
  var title: String { get }
}

extension SMController {
  /// The name of the class, without its module.
  static var name: String { "\(Self.self)" }

  /// A new page.
  static func page(_ request: PageRequest) -> Page {
    let controller = Self(parameters: request.parameters)
    return Page(controller.title, object: controller)
  }
}
