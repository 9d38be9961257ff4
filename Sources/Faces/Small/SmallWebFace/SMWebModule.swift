public import PluginHost
public import PluginKit
internal import Signet
internal import SignetBase

/// A module of web pages: resources without code, with an `index.html`.
///
/// Its files reach a page only as the host's verified resources: each time, they are compared with what was signed.
public struct SMWebModule: Sendable {
  /// The file that a module opens with.
  public static let index = "index.html"

  /// The bundle of the module.
  public let bundle: SMBundle
  /// The release whose files the pages get, also if a later release is in use meanwhile.
  public let release: LoadedModule
  /// Where the module is for its web views.
  public let address: SMWebAddress

  /// Makes a value for a module that is loaded.
  ///
  /// - Returns: nil if the bundle is not one of resources with an `index.html`, or is not loaded.
  public init?(_ bundle: SMBundle, at address: SMWebAddress = SMWebAddress()) {
    guard bundle.type == .assets, let release = bundle.module, bundle.hasResource(Self.index) else { return nil }
    self.bundle = bundle
    self.release = release
    self.address = address
  }

  /// The URL of the module's `index.html`, with the query of the request.
  ///
  /// - Parameter query: the query, as it is written in the request, or nil.
  public func url(_ query: String? = nil) -> String {
    address.url(release.module.identifier, path: Self.index, query: query)
  }

  /// The path of the file that a URL stands for; nil if the URL is not one of this module's.
  public func path(of url: String) -> String? { address.path(of: url, in: release.module.identifier) }

  /// Whether a URL has the origin of this module.
  func hasOrigin(_ url: String) -> Bool { address.isOrigin(url, of: release.module.identifier) }

  /// The file that a URL stands for, as it was signed.
  ///
  /// - Throws: `module.removed` if the module is not loaded any more; `resource.missing` if it has no such file;
  ///   `resource.failed` if the file is no longer what was signed, or cannot be read.
  public func resource(_ url: String) throws(PluginError) -> SMWebResource {
    let shown = PluginURL.shown(url)
    let module = release.module.identifier
    guard bundle.host.loaded(module) != nil else {
      throw PluginError(.moduleRemoved, shown, "belongs to \(module), which is not loaded any more")
    }
    let bytes: [UInt8]?
    let path = path(of: url)
    do throws(SignetError) {
      bytes = try path.flatMap { (path) throws(SignetError) in try release.resource(path) }
    } catch {
      throw PluginError(.resourceFailed, shown, "is not available", cause: error)
    }
    guard let path, let bytes else {
      throw PluginError(
        .resourceMissing, shown, "is not a resource that the description of \(module) declares",
        hint: "add it to \"resources\" in module.json, and sign the module again")
    }
    return SMWebResource(path: path, bytes: bytes)
  }
}

/// A file for a page.
public struct SMWebResource: Sendable {
  /// The path of the file in its module.
  public let path: String
  /// The bytes, as they were signed.
  public let bytes: [UInt8]
  /// The type of the content, by the ending of the path.
  public var contentType: String {
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? path.utf8[...]
    let ending = name.lastIndex(of: UInt8(ascii: ".")).map { String(name[name.index(after: $0)...]) ?? "" } ?? ""
    return Self.types[ending.lowercased()] ?? "application/octet-stream"
  }

  /// The header fields with which a web view has to answer the request.
  ///
  /// A page loads what is in its module, and nothing from elsewhere. Scripts in the page itself are signed like any other
  /// file, so they run.
  public var headers: [(name: String, value: String)] {
    [
      ("Content-Type", contentType), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
      ("Content-Security-Policy", Self.policy), ("Referrer-Policy", "no-referrer"),
      ("X-DNS-Prefetch-Control", "off"),
    ]
  }

  private static let policy =
    "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'none'; base-uri 'self';"
    + " form-action 'self'; frame-ancestors 'none'"

  private static let types = [
    "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8", "json": "application/json",
    "txt": "text/plain; charset=utf-8", "xml": "text/xml; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "ico": "image/x-icon",
    "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf", "mp3": "audio/mpeg",
    "m4a": "audio/mp4", "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm", "wasm": "application/wasm",
    "pdf": "application/pdf",
  ]
}
