internal import SignetBase
internal import SignetFiles
internal import SignetSystem

/// What Small remembers from one start to the next: the version of the application, and the URLs of upgrades.
///
/// Nothing here is trusted. A changed file can make Small fetch modules again, and from elsewhere, but each module is
/// verified like any other.
final class SMDefaults: Sendable {
  private static let versionKey = "SMHostVersion"
  private static let urlsKey = "SMBundleUpgradeUrls"
  /// A thousand modules, each with a long URL.
  private static let limits = JSONLimits(size: 10 << 20, depth: 3, values: 4096)

  private struct Values {
    var hostVersion: String?
    var urls: [String: String]?
  }

  private let files: SMFiles
  /// How often the file was changed. One thread changes it at a time; it is replaced in one step, so readers need no turn.
  private let changes = Monitor(0)

  init(_ files: SMFiles) { self.files = files }

  /// The version of the application at the last start; nil if that is unknown.
  ///
  /// - Throws: `file.…` if what is remembered cannot be read.
  var hostVersion: String? { get throws(SignetError) { try read().hostVersion } }

  /// The URLs of upgrades by the names of their packages, or nil.
  ///
  /// - Throws: `file.…` if what is remembered cannot be read.
  var upgradeUrls: [String: String]? { get throws(SignetError) { try read().urls } }

  /// - Throws: `file.…`, `output.failed`, `output.not-synced`.
  func setHostVersion(_ version: String) throws(SignetError) { try change { $0.hostVersion = version } }

  /// - Throws: `json.bounds` if there are too many, or they are too long; `file.…`, `output.failed`, `output.not-synced`.
  func setUpgradeUrls(_ urls: [String: String]?) throws(SignetError) { try change { $0.urls = urls } }

  /// - Parameter url: the URL that is done. If another one has taken its place meanwhile, that one stays.
  /// - Throws: `output.failed`, `output.not-synced`.
  func removeUpgradeUrl(_ url: String, of name: String) throws(SignetError) {
    try change { values in
      if values.urls?[name].map({ $0.utf8.elementsEqual(url.utf8) }) == true { values.urls?[name] = nil }
      if values.urls?.isEmpty == true { values.urls = nil }
    }
  }

  private func change(_ body: (inout Values) -> Void) throws(SignetError) {
    try changes.withLock { (count) throws(SignetError) in
      count += 1
      var values = try read()
      body(&values)
      files.makeFolder()
      let urls = values.urls.map { urls in
        JSONValue(.object(urls.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }))
      }
      let text = try CanonicalJSON.write(
        .object((Self.versionKey, values.hostVersion.map { .string($0) }), (Self.urlsKey, urls)))
      // What the next start would not read is not written: it would lose the rest, too.
      _ = try JSONReader.read(text, limits: Self.limits)
      try OutputFile.write(text, to: files.defaults, .replace(unless: []))
    }
  }

  /// What is there. Content that nobody can have written here is as good as none: the next version check fetches everything
  /// anew.
  ///
  /// - Throws: `file.…` for a file that is there and cannot be read. It may be readable at the next start.
  private func read() throws(SignetError) -> Values {
    let text: [UInt8]
    do throws(SignetError) {
      text = try RegularFile(opening: files.defaults).bytes(limit: Self.limits.size)
    } catch  where [.fileMissing, .fileTooLarge].contains(error.code) {
      return Values()
    }
    guard let value = try? JSONReader.read(text, limits: Self.limits),
      var object = try? JSONObject(value, "small.json", unknownField: .jsonWrongValue)
    else { return Values() }
    let version = (try? object.optionalString(Self.versionKey)) ?? nil
    guard let urls = object.optional(Self.urlsKey), case .object(let members) = urls.content else {
      return Values(hostVersion: version)
    }
    var found: [String: String] = [:]
    for member in members { if case .string(let url) = member.value.content { found[member.name] = url } }
    return Values(hostVersion: version, urls: found)
  }
}
