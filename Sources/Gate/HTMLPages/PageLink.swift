/// A link to a page or file of the same site.
///
/// It leads nowhere else: a path of small letters, digits and `-_.` has no scheme, no host and no query.
package struct PageLink: CustomStringConvertible {
  /// The relative URL.
  package let description: String

  /// Links to a path.
  ///
  /// - Parameters:
  ///   - path: the path of the file from the site's folder. None of its names begins with a dot.
  ///   - depth: the number of folders in which the linking page is.
  /// - Returns: nil for a path of any other characters.
  package init?(_ path: String, fromDepth depth: Int) {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard names.allSatisfy({ Self.isName($0) }) else { return nil }
    description = String(repeating: "../", count: depth) + path
  }

  private static func isName(_ name: Substring.UTF8View) -> Bool {
    guard let first = name.first, first != UInt8(ascii: ".") else { return false }
    return name.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}
