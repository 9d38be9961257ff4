internal import SignetBase

/// The types of documents that registries hold (OCI image-spec, "Media Types").
package enum MediaType {
  /// A manifest: a configuration and layers.
  package static let manifest = "application/vnd.oci.image.manifest.v1+json"
  /// An index: a list of manifests.
  package static let index = "application/vnd.oci.image.index.v1+json"
  /// The configuration of what needs none.
  package static let empty = "application/vnd.oci.empty.v1+json"
  /// Docker's manifest, which has the same fields as OCI's.
  package static let dockerManifest = "application/vnd.docker.distribution.manifest.v2+json"
  /// Docker's list of manifests, which has the same fields as OCI's index.
  package static let dockerList = "application/vnd.docker.distribution.manifest.list.v2+json"
  /// A Sigstore bundle.
  package static let bundle = "application/vnd.dev.sigstore.bundle.v0.3+json"

  /// The types of manifests and lists that are read.
  package static let documents = [manifest, index, dockerManifest, dockerList]

  /// Whether a type is one of a list of manifests.
  package static func isIndex(_ type: String) -> Bool { type.isExactly(index) || type.isExactly(dockerList) }

  /// A type without its parameters, in small letters (RFC 9110, section 8.3.1).
  package static func plain(_ type: String) -> String {
    let end = type.utf8.prefix { $0 != UInt8(ascii: ";") }
    return String(decoding: end.filter { $0 != UInt8(ascii: " ") && $0 != 0x09 }, as: UTF8.self).lowercased()
  }

  /// Whether a text can be the name of a type (RFC 6838, section 4.2).
  static func isName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        (1...127).contains(part.count)
          && part.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"):
              true
            default: "!#$&-^_.+".utf8.contains(byte)
            }
          }
      }
  }
}
