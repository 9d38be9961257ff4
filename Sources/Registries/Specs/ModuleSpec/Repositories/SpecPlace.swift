public import SignetBase

/// Where a repository of specs is: a folder, or a repository of git by its address.
public enum SpecPlace: Sendable, CustomStringConvertible {
  /// A folder, by its path from the root.
  case folder(String)
  /// A repository of git.
  case git(String)

  /// The most bytes of a place.
  private static let limit = 4096

  /// Reads an address or a path.
  ///
  /// - Throws: `spec-repo.place`.
  public init(_ text: String) throws(SignetError) {
    guard text.utf8.count <= Self.limit, text.unicodeScalars.allSatisfy({ $0.isVisible || $0 == " " }), !text.isEmpty
    else {
      throw SignetError(
        .specRepositoryPlace, "the place", "has invisible characters, or is too long",
        expected: "at most \(Self.limit) bytes in one line")
    }
    guard text.contains("://") else {
      self = .folder(text)
      return
    }
    // An address may have a password in it, and is not shown unless it is in order.
    guard let fault = Self.fault(of: text) else {
      self = .git(text)
      return
    }
    throw SignetError(
      .specRepositoryPlace, "the address", fault, expected: "https://HOST/PATH, ssh://HOST/PATH or file:///PATH",
      hint: "give secrets to git; write git@HOST:PATH as ssh://git@HOST/PATH")
  }

  private static func fault(of text: String) -> String? {
    if text.utf8.starts(with: "file:///".utf8) { return nil }
    if ["http://", "git://"].contains(where: { text.utf8.starts(with: $0.utf8) }) {
      return "is of a protocol that anybody on the way can change"
    }
    return SourceURLRule.fault(of: text)
  }

  /// The place as people name it.
  public var description: String {
    switch self {
    case .folder(let path): path
    case .git(let address): address
    }
  }

  /// The text in the file that names the place.
  var line: String {
    switch self {
    case .folder(let path): "folder \(path)\n"
    case .git(let address): "git \(address)\n"
    }
  }

  init(line: [UInt8], _ file: String) throws(SignetError) {
    let text = String(validating: line, as: UTF8.self) ?? ""
    for (word, make) in [("folder ", { Self.folder($0) }), ("git ", { Self.git($0) })] as [(String, (String) -> Self)]
    {
      guard text.utf8.starts(with: word.utf8), text.utf8.last == UInt8(ascii: "\n") else { continue }
      let place = make(String(decoding: text.utf8.dropFirst(word.utf8.count).dropLast(), as: UTF8.self))
      guard place.line.isExactly(text), (try? Self(place.description)) != nil else { continue }
      self = place
      return
    }
    throw SignetError(
      .specRepositoryMalformed, file, "does not name the place of a repository",
      hint: "remove the repository and add it again")
  }
}
