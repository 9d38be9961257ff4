internal import SignetBase
internal import SignetCrypto

/// The file by which an application of Electron finds its updates, such as `latest.yml` (electron-builder, "Auto Update").
///
/// Each mapping in it that names a file with `url` or `path` has its digest: `sha512` in base64, or in 128 hexadecimal digits,
/// and `sha2` of old versions in hexadecimal digits. The two are paired when their mapping ends, in whichever order they are.
enum UpdateFeed {
  private static let (url, path) = (Array("url".utf8), Array("path".utf8))
  private static let (long, short) = (Array("sha512".utf8), Array("sha2".utf8))
  private static let (files, version, merge) = (Array("files".utf8), Array("version".utf8), Array("<<".utf8))

  /// Reads the checksums; none for a file of another kind.
  static func read(_ text: [UInt8]) -> ChecksumStatements {
    let yaml = YAMLMappings.read(text, keeping: [url, path, long, short, files, version, merge])
    let roots = yaml.mappings.filter(\.isRoot)
    func hasRoot(_ key: [UInt8]) -> Bool { roots.contains { root in root.fields.contains { $0.key == key } } }
    // The updater finds files by these keys alone. Other YAML may have digests of other things, in other forms.
    let (isFeed, hasVersion) = (hasRoot(files) || hasRoot(path), hasRoot(version))
    var found = ChecksumStatements()
    for mapping in yaml.mappings {
      pair(mapping, isFeed: isFeed, hasVersion: hasVersion, &found)
    }
    // Whatever is behind a fault may be a digest.
    if let fault = yaml.fault, isFeed, hasVersion || mentionsDigest(text) {
      found.unread.append((fault.line, fault.text))
    }
    found.stated.sort { $0.line < $1.line }
    found.unread.sort { $0.line < $1.line }
    return found
  }

  /// Pairs the name and the digests of a mapping.
  private static func pair(
    _ mapping: YAMLMapping, isFeed: Bool, hasVersion: Bool, _ found: inout ChecksumStatements
  ) {
    let digests = mapping.fields.filter { $0.key == long || $0.key == short && $0.value != .nothing }
    let names = mapping.fields.filter { $0.key == url || $0.key == path }
    // The updater reads the `path` of the whole file, and the `url` of an element of `files`.
    let preferred = mapping.isRoot ? path : url
    let name = names.first { $0.key == preferred } ?? names.first
    func unread(_ field: YAMLMapping.Field) {
      found.unread.append((field.line, "\(String(decoding: field.key, as: UTF8.self)): \(field.value.display)"))
    }
    // Programs disagree on which of two equal keys counts, and a merged mapping may have what is missing here.
    let isRepeated = Set(mapping.fields.map(\.key)).count < mapping.fields.count
    if let merged = mapping.fields.first(where: { $0.key == merge }), digests.isEmpty != (name == nil), isFeed {
      return unread(merged)
    }
    for field in digests {
      guard let name else {
        if isFeed && hasVersion { unread(field) }
        continue
      }
      guard !isRepeated, case .text(let text) = name.value, let place = place(text),
        let digest = digest(field, isFeed: isFeed)
      else {
        if isFeed { unread(field) }
        continue
      }
      found.stated.append(
        StatedChecksum(
          name: place.name, before: place.before, digest: digest, line: field.line, mayBeElsewhere: place.isAddress,
          function: .sha2))
    }
  }

  private static func digest(_ field: YAMLMapping.Field, isFeed: Bool) -> Digest? {
    guard case .text(let bytes) = field.value else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if field.key == short { return isFeed ? Digest(.sha256, hex: text) : nil }
    if isFeed, let digest = Digest(.sha512, hex: text) { return digest }
    guard let decoded = try? Base64.decode(text) else { return nil }
    return Digest(.sha512, hex: Hexadecimal.encode(decoded))
  }

  /// What a reference to a file means: an address, or one that is relative to the feed's own.
  private static func place(_ text: [UInt8]) -> (name: String, before: [String], isAddress: Bool)? {
    // Ends of lines and blanks around it do not belong to an address (URL Standard, "basic URL parser").
    var bytes = text.filter { $0 != 0x0a && $0 != 0x0d && $0 != 0x09 }[...]
    bytes = bytes.drop { $0 == 0x20 }
    while bytes.last == 0x20 { bytes.removeLast() }
    let whole = String(decoding: bytes, as: UTF8.self)
    if FileAddress.isOne(whole) { return (FileAddress.fileName(of: whole), [], true) }
    let name = FileAddress.path(of: whole)
    guard !name.isEmpty else { return nil }
    // A tool may write a name as it is, with a percent sign or a question mark in it.
    return (name, name.isExactly(whole) ? [] : [name, whole], false)
  }

  private static func mentionsDigest(_ text: [UInt8]) -> Bool {
    text.indices.contains { text[$0...].starts(with: long) || text[$0...].starts(with: short) }
  }
}

/// The address of a file.
enum FileAddress {
  /// Whether a name is an address, and no path.
  static func isOne(_ name: String) -> Bool {
    name.utf8.drop { $0 != UInt8(ascii: ":") }.starts(with: "://".utf8)
  }

  /// The last name of an address, without what follows the path.
  static func fileName(of address: String) -> String {
    let name = encodedPath(of: address).split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
    return String(decoding: PercentEncoding.decode(name).bytes, as: UTF8.self)
  }

  /// The path of a relative address, without what follows it.
  static func path(of reference: String) -> String {
    String(decoding: PercentEncoding.decode(Array(encodedPath(of: reference))).bytes, as: UTF8.self)
  }

  private static func encodedPath(of address: String) -> Substring.UTF8View {
    address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
  }
}
