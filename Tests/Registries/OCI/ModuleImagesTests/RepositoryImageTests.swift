import Foundation
import ModuleCatalog
import ModuleImages
import Signet
import SignetBase
import SignetCrypto
import SignetSystem
import SignetTUF
import TestSupport
import Testing

@testable import ModuleRegistry
@testable import OCITestSupport
@testable import RegistryTestSupport
@testable import SignetOCI

/// Registries of modules that lie in OCI registries and layouts.
@Suite("repositories in registries", .serialized) struct RepositoryImageTests {
  private let fixture: RegistryFixture

  init() throws { fixture = try RegistryFixture() }

  private var path: String { fixture.folder.file("registry") }
  private var layout: String { fixture.folder.file("layout") }

  private func mirror(to storage: any OCIStorage) throws -> RepositoryImage.Tally {
    try RepositoryImage(path, to: storage).push()
  }

  /// What a new client is offered by a place.
  private func catalog(_ source: OCIRepositorySource) throws -> ModuleCatalog {
    let trusted = TrustedMetadataFolder(fixture.folder.file("client-\(UInt64.random(in: 0 ... .max))"))
    try trusted.begin(with: fixture.folder.read("registry/metadata/1.root.json"))
    return ModuleCatalog(folder: trusted, mirrors: [RepositoryMirror(metadata: source, targets: source)])
  }

  @Test("a client takes modules from a layout as from the directory, and one state after the other")
  func states() throws {
    try fixture.push(fixture.module("com.example.player", "1.0.0", 1))
    let storage = try OCILayout(layout, isMade: true)
    let first = try mirror(to: storage)
    #expect(first.targets == 3 && first.newTargets == 3)
    let source = try OCIRepositorySource("oci-layout:\(layout)")
    let catalog = try catalog(source)
    let offers = try catalog.refreshed(at: RegistryFixture.now)
    let release = try #require(offers.index(of: RegistryFixture.player)?.releases.last)
    #expect("\(release.version)" == "1.0.0")
    let place = fixture.folder.file("fetched.zip")
    try offers.download(release.archive, of: release, to: place)
    #expect(try RegularFile(opening: place).sha256() == release.archive.sha256)
    // A push is seen only after it was mirrored, and then whole.
    try fixture.push(fixture.module("com.example.player", "1.1.0", 2))
    #expect(
      try
        "\(#require(catalog.refreshed(at: RegistryFixture.now).index(of: RegistryFixture.player)?.releases.last).version)"
        == "1.0.0")
    let second = try mirror(to: storage)
    #expect(second.newTargets == 3)
    #expect(
      try
        "\(#require(catalog.refreshed(at: RegistryFixture.now).index(of: RegistryFixture.player)?.releases.last).version)"
        == "1.1.0")
    #expect(try mirror(to: storage).newTargets == 0)
  }

  @Test(
    "what a registry has lost is uploaded again",
    .enabled(if: DebianRegistry.program != nil, DebianRegistry.isMissing))
  func lost() throws {
    try fixture.push(fixture.module("com.example.player", "1.0.0", 1))
    let registry = try DebianRegistry()
    _ = try mirror(to: registry.client("modules"))
    try fixture.push(fixture.module("com.example.player", "1.1.0", 2))
    try registry.forgetBlobs(of: "modules")
    let again = try mirror(to: registry.client("modules"))
    #expect(again.targets == 6)
    let client = try registry.client("modules")
    for tag in try client.tags() {
      for blob in try client.existing(.tag(tag)).blobs { #expect(try client.has(blob)) }
    }
  }

  @Test("an older state does not take the place of a newer one")
  func order() throws {
    try fixture.push(fixture.module("com.example.player", "1.0.0", 1))
    let storage = try OCILayout(layout, isMade: true)
    let copy = fixture.folder.file("older")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    try fixture.push(fixture.module("com.example.player", "1.1.0", 2))
    _ = try mirror(to: storage)
    expectError(.ociRepository) { _ = try RepositoryImage(copy, to: storage).push() }
  }

  @Test(
    "a client takes modules from a real registry",
    .enabled(if: DebianRegistry.program != nil, DebianRegistry.isMissing))
  func registry() throws {
    try fixture.push(fixture.module("com.example.player", "1.0.0", 1))
    let registry = try DebianRegistry()
    _ = try mirror(to: registry.client("modules"))
    var settings = RegistrySettings()
    settings.isPlain = true
    let source = try OCIRepositorySource("oci://\(registry.host)/modules", settings)
    let offers = try catalog(source).refreshed(at: RegistryFixture.now)
    let release = try #require(offers.index(of: RegistryFixture.player)?.releases.last)
    let place = fixture.folder.file("fetched.zip")
    try offers.download(release.archive, of: release, to: place)
    #expect(try RegularFile(opening: place).sha256() == release.archive.sha256)
  }

  @Test("what a registry changes, hides or puts back is refused as by any other mirror")
  func lies() throws {
    try fixture.push(fixture.module("com.example.player", "1.0.0", 1))
    let storage = try OCILayout(layout, isMade: true)
    _ = try mirror(to: storage)
    let old = try storage.existing(.tag("metadata"))
    try fixture.push(fixture.module("com.example.player", "1.1.0", 2))
    _ = try mirror(to: storage)
    let source = try OCIRepositorySource("oci-layout:\(layout)")
    let catalog = try catalog(source)
    _ = try catalog.refreshed(at: RegistryFixture.now)
    // An old state.
    let new = try storage.existing(.tag("metadata"))
    try storage.put(old, tag: "metadata")
    expectError(.tufRollback) { _ = try catalog.refreshed(at: RegistryFixture.now) }
    // One without a file.
    guard case .image(_, let layers) = new.content else { return #expect(Bool(false), "no image") }
    let snapshot = layers.filter { !($0.annotations["tuf.io/filename"]?.hasSuffix(".snapshot.json") ?? false) }
    try storage.put(OCIManifest("a/b", layers: snapshot), tag: "metadata")
    let hidden = try self.catalog(source)
    expectError(.tufNotFound) { _ = try hidden.refreshed(at: RegistryFixture.now) }
    // Another file under its name.
    let swapped = layers.map { layer in
      layer.annotations["tuf.io/filename"]?.hasSuffix(".snapshot.json") == true
        ? OCIDescriptor(layer.mediaType, layers[0].digest, size: layers[0].size, annotations: layer.annotations)
        : layer
    }
    try storage.put(OCIManifest("a/b", layers: swapped), tag: "metadata")
    let other = try self.catalog(source)
    expectError(.tufTooShort) { _ = try other.refreshed(at: RegistryFixture.now) }
    // A wrong root is looked at again by the next refresh.
    let rooted = layers.map { layer in
      layer.annotations["tuf.io/filename"] == "1.root.json"
        ? OCIDescriptor(
          layer.mediaType, layer.digest, size: layer.size, annotations: ["tuf.io/filename": "2.root.json"])
        : layer
    }
    try storage.put(OCIManifest("a/b", layers: rooted), tag: "metadata")
    expectError(.tufWrongVersion) { _ = try other.refreshed(at: RegistryFixture.now) }
    try storage.put(new, tag: "metadata")
    _ = try other.refreshed(at: RegistryFixture.now)
    // Nothing at all.
    let empty = try OCILayout(fixture.folder.file("empty"), isMade: true)
    let nothing = try self.catalog(OCIRepositorySource(empty.name))
    expectError(.tufNotFound) { _ = try nothing.refreshed(at: RegistryFixture.now) }
  }

  @Test("files are read up to a limit, and paths lead nowhere else")
  func bounds() throws {
    let storage = try OCILayout(layout, isMade: true)
    _ = try mirror(to: storage)
    let source = try OCIRepositorySource("oci-layout:\(layout)")
    #expect(
      try source.bytes(of: "1.root.json", atMost: 100_000) == fixture.folder.read("registry/metadata/1.root.json"))
    expectError(.tufTooLong) { _ = try source.bytes(of: "1.root.json", atMost: 10) }
    for path in [
      "2.root.json", "../1.root.json", "", "metadata/1.root.json", String(repeating: "0", count: 64) + ".x",
    ] {
      expectError(.tufNotFound) { _ = try source.bytes(of: path, atMost: 10) }
    }
  }

  @Test("a place with a tag is no repository, and a registry that is away is told")
  func places() throws {
    expectError(.ociReference) { _ = try OCIRepositorySource("oci://example.com/a:1") }
    expectError(.ociReference) { _ = try OCIRepositorySource("https://example.com/a") }
    let source = try OCIRepositorySource("oci-layout:\(fixture.folder.file("nowhere"))")
    expectError(.tufUnreachable) { _ = try source.bytes(of: "1.root.json", atMost: 10) }
  }

  @Test("a folder that is no repository, or has other targets, is not mirrored")
  func refusals() throws {
    let storage = try OCILayout(layout, isMade: true)
    try fixture.folder.write("registry/targets/plain.txt", [1])
    expectError(.ociRepository) { _ = try mirror(to: storage) }
    try FileManager.default.removeItem(atPath: fixture.folder.file("registry/targets/plain.txt"))
    let wrong = String(repeating: "0", count: 64) + ".txt"
    try fixture.folder.write("registry/targets/\(wrong)", [1])
    expectError(.ociDigest) { _ = try mirror(to: storage) }
    try FileManager.default.removeItem(atPath: fixture.folder.file("registry/targets/\(wrong)"))
    try FileManager.default.removeItem(atPath: fixture.folder.file("registry/metadata/timestamp.json"))
    expectError(.ociRepository) { _ = try mirror(to: storage) }
    #expect(try storage.manifest(.tag("metadata")) == nil)
  }
}
