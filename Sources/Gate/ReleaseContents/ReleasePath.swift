package import SignetBase

/// What can be done with a path in a release.
package enum ReleasePath {
  /// The names between the slashes. They are split by bytes: a slash with a combining character is another Character.
  package static func names(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The index of the first element whose path is this one, or comes after it.
  ///
  /// - Parameter elements: sorted by the bytes of their paths.
  package static func firstIndex<Element>(from path: String, in elements: [Element], by key: (Element) -> String)
    -> Int
  {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if key(elements[middle]).precedesInBytes(path) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The indices of all elements below a folder. They follow each other: no other path begins like theirs.
  ///
  /// - Parameter elements: sorted by the bytes of their paths.
  package static func range<Element>(
    below folder: String, in elements: [Element], by key: (Element) -> String
  ) -> Range<Int> {
    // In ASCII, 0 comes right behind the slash.
    firstIndex(from: folder + "/", in: elements, by: key)..<firstIndex(from: folder + "0", in: elements, by: key)
  }

  /// The last name.
  package static func baseName(of path: String) -> String {
    String(decoding: path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.reversed(), as: UTF8.self)
  }

  /// A path as a relative reference (RFC 3986, section 4.2).
  ///
  /// All but letters, digits, `-._~` and `/` is percent-encoded: a colon in the first segment would make it a scheme, and
  /// two slashes at the beginning would make the first segment a host.
  package static func uri(of path: String) -> String {
    let text = PercentEncoding.encode(path, keeping: "/")
    return text.utf8.first == UInt8(ascii: "/") ? "%2F" + text.dropFirst() : text
  }
}

extension SignetError {
  /// The same error about a path in the release, wherever its folder is; nil if it is not about this file.
  ///
  /// - Parameters:
  ///   - opened: the path by which the file was opened.
  ///   - path: its path in the release.
  package func inRelease(_ opened: String, as path: String) -> SignetError? {
    guard object.utf8.starts(with: opened.utf8) else { return nil }
    let rest = object.utf8.dropFirst(opened.utf8.count)
    // One file's name may begin as the other's: tool.sigstore.json and tool.sigstore.jsonl.
    guard rest.first.map({ $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ",") }) ?? true else { return nil }
    return about(path + String(decoding: rest, as: UTF8.self))
  }
}
