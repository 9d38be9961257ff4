import Signet

@testable import SignetNames
@testable import SignetOCI

/// What OCI registries say, and the files that say who asks them.
enum FedImages {
  /// What is accepted names its own digest. An index that is made of its entries has them all.
  static func feedDocument(_ bytes: [UInt8]) {
    for type in MediaType.documents {
      guard let manifest = try? OCIManifest(bytes, type: type, from: "it") else { continue }
      require(manifest.bytes == bytes && manifest.descriptor.size == bytes.count, "a manifest has other bytes")
      require(manifest.descriptor.mediaType == type, "a manifest has another type")
      require(Set(manifest.blobs.map(\.digest)).count == manifest.blobs.count, "a blob is named twice")
      guard case .index(let entries) = manifest.content else { continue }
      // Numbers with fractions cannot be written.
      guard let index = try? OCIManifest(index: entries), case .index(let again) = index.content else { continue }
      require(again.map(\.digest) == entries.map(\.digest), "an index changed")
      require((try? OCIManifest(index: again).bytes) == index.bytes, "two texts for one index")
    }
  }

  /// A place has one text, and its parts lead nowhere else.
  static func feedPlace(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let place = try? OCIPlace(text) else { return }
    require(Array(place.description.utf8) == Array(text.utf8), "a place changed")
    if case .registry(let name) = place.holder {
      require(name.description.utf8.count <= 255, "a name is too long")
      require(
        name.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
          !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }, "a name leads elsewhere")
    }
    if let tag = place.tag { require(ManifestName.isTag(tag) && !tag.utf8.contains(UInt8(ascii: "/")), "no tag") }
  }

  /// What a registry demands, and the tokens that answer it: nothing of them breaks a field.
  static func feedAnswer(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    for challenge in Challenge.all(in: text.split(separator: "\n").map(String.init)) {
      require(!challenge.scheme.isEmpty && challenge.parameters.count <= 32, "a demand without a scheme")
    }
    if let token = try? BearerToken(bytes, from: "it") {
      require(
        !token.text.isEmpty && token.text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "a token breaks a field")
    }
  }

  /// Files of credentials: an error never repeats what they hold, and no credential breaks a field.
  static func feedCredentials(_ bytes: [UInt8]) {
    guard let repository = RepositoryName("example.com/a/b"[...]) else { return require(false, "no name") }
    let source = DockerCredentials([]) { (program, _) throws(SignetError) in
      require(program.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "/") }, "a program somewhere else")
      return bytes
    }
    guard let credential = try? source.credential(for: repository, in: bytes) else { return }
    require("\(credential)" == "…", "a credential is shown")
    if let basic = credential.basic {
      require(basic.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "a credential breaks a field")
    }
  }
}
