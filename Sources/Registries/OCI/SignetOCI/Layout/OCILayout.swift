package import SignetBase
package import SignetCrypto
internal import SignetFiles
internal import SignetSystem

/// A directory with manifests and blobs (OCI image-spec, "Image Layout"), for networks without a registry.
///
/// `index.json` names the manifests, with or without a tag. A referrer has an entry there, or stands in the index under the
/// referrers tag of its subject. `index.json` is replaced last, in one step: a killed copy leaves the old one, and possibly
/// blobs that nothing names.
package final class OCILayout: OCIStorage {
  package let name: String
  private let path: String
  private let folder: Directory
  /// The manifests that are about others, as they were for the last list that was read.
  private var known: (list: [UInt8], referrers: [Digest: [OCIDescriptor]])?

  private static let mark = "oci-layout"
  private static let list = "index.json"
  private static let blobs = "blobs/sha256"
  /// The most manifests of a layout, each of which is read to find those that are about others.
  private static let entryLimit = 10_000
  /// How long to wait for others who change the layout, in milliseconds.
  private static let patience = 30_000
  private static let pieceSize = 1 << 20

  /// Opens a layout.
  ///
  /// - Parameter isMade: whether a missing layout is made.
  /// - Throws: `oci.layout`, `file.…`; `output.failed`.
  package init(_ path: String, isMade: Bool) throws(SignetError) {
    self.path = path
    name = OCIPlace.layoutStart + path
    if isMade { try Self.make(path) }
    folder = try Directory(opening: path)
    let text: [UInt8]
    do throws(SignetError) { text = try folder.file(Self.mark).bytes(limit: 1 << 10) } catch {
      throw SignetError(
        .ociLayout, path, "is not an image layout", expected: "a file \(Self.mark)", cause: error,
        hint: "name the directory of a layout")
    }
    do throws(SignetError) {
      var object = try JSONObject(
        JSONReader.read(text, limits: JSONLimits(size: 1 << 10, depth: 4, values: 100)), Self.mark,
        unknownField: .ociDocument)
      let version = try object.string("imageLayoutVersion")
      guard version.isExactly("1.0.0") else { throw object.wrong("imageLayoutVersion", "1.0.0", version.display) }
    } catch {
      throw SignetError(.ociLayout, "\(path)/\(Self.mark)", "is not the mark of an image layout", cause: error)
    }
  }

  /// Makes an empty layout in a directory that is missing or empty, or in which another process has begun one.
  private static func make(_ path: String) throws(SignetError) {
    do throws(SystemFailure) { _ = try Directory.make(path, mode: 0o755) } catch {
      throw SignetError(.outputFailed, path, "cannot be created", cause: error)
    }
    let folder = try Directory(opening: path)
    if try (file(mark, in: folder)?.size ?? 0) > 0 { return }
    guard try folder.entryNames().allSatisfy({ [mark, list, "blobs"].contains($0) }) else {
      throw SignetError(
        .ociLayout, path, "is neither an image layout nor empty", hint: "name a new directory, or one of a layout")
    }
    let lock = try Self.lock(folder)
    defer { withExtendedLifetime(lock) {} }
    // Somebody else may have made it meanwhile.
    if try (file(mark, in: folder)?.size ?? 0) > 0 { return }
    for part in ["blobs", blobs] {
      do throws(SystemFailure) { _ = try Directory.make("\(path)/\(part)", mode: 0o755) } catch {
        throw SignetError(.outputFailed, "\(path)/\(part)", "cannot be created", cause: error)
      }
    }
    if try file(list, in: folder) == nil {
      try OutputFile.write(try OCIManifest(index: []).bytes, to: "\(path)/\(list)", .keep)
    }
    // What has the mark is a layout, so it comes last.
    try OutputFile.write(Array(#"{"imageLayoutVersion":"1.0.0"}"#.utf8), to: "\(path)/\(mark)", .replace(unless: []))
  }

  private static func file(_ name: String, in folder: Directory) throws(SignetError) -> RegularFile? {
    do throws(SignetError) { return try folder.file(name) } catch  where error.code == .fileMissing { return nil }
  }

  // MARK: Reading

  package func manifest(_ name: ManifestName) throws(SignetError) -> OCIManifest? {
    switch name {
    case .tag(let tag):
      let tagged = try entries().filter { $0.annotations[Annotation.tag]?.isExactly(tag) == true }
      guard let last = tagged.last else { return nil }
      guard tagged.allSatisfy({ $0.digest == last.digest }) else {
        throw SignetError(
          .ociLayout, "\(self.name):\(tag)", "stands for several manifests", found: "\(tagged.count) entries",
          hint: "name one by its digest")
      }
      return try manifest(last)
    case .digest(let digest):
      if let entry = try entries().first(where: { $0.digest == digest }) { return try manifest(entry) }
      // It may be named by another manifest only.
      guard let file = try file(digest) else { return nil }
      return try manifest(OCIDescriptor(Self.type(of: file), digest, size: file.size))
    }
  }

  /// The manifest of a descriptor.
  private func manifest(_ entry: OCIDescriptor) throws(SignetError) -> OCIManifest {
    let bytes = try bytes(of: entry, limit: OCIManifest.sizeLimit)
    return try OCIManifest(bytes, type: MediaType.plain(entry.mediaType), from: "\(name)@\(entry.digest)")
  }

  /// The type that a manifest says itself; OCI's, if it says none.
  private static func type(of file: RegularFile) throws(SignetError) -> String {
    let bytes = try file.bytes(limit: OCIManifest.sizeLimit)
    guard
      let value = try? JSONReader.read(
        bytes, limits: JSONLimits(size: OCIManifest.sizeLimit, depth: 16, values: 400_000)),
      var object = try? JSONObject(value, "manifest", unknownField: .ociDocument)
    else { return MediaType.manifest }
    return (try? object.optionalString("mediaType"))
      ?? (object.has("manifests") ? MediaType.index : MediaType.manifest)
  }

  /// What `index.json` names.
  private func entries() throws(SignetError) -> [OCIDescriptor] { try entries(listBytes()) }

  private func listBytes() throws(SignetError) -> [UInt8] {
    do throws(SignetError) { return try folder.file(Self.list).bytes(limit: OCIManifest.sizeLimit) } catch {
      throw SignetError(.ociLayout, "\(path)/\(Self.list)", "cannot be read", cause: error)
    }
  }

  private func entries(_ bytes: [UInt8]) throws(SignetError) -> [OCIDescriptor] { try index(bytes).parts }

  private func index(_ bytes: [UInt8]) throws(SignetError) -> OCIManifest {
    let index = try OCIManifest(bytes, type: MediaType.index, from: "\(path)/\(Self.list)")
    guard index.parts.count <= Self.entryLimit else { throw tooMany(index.parts.count) }
    return index
  }

  private func tooMany(_ count: Int) -> SignetError {
    SignetError(
      .ociBounds, "\(path)/\(Self.list)", "names too many manifests", expected: "at most \(Self.entryLimit)",
      found: "\(count)", hint: "use another directory")
  }

  private func file(_ digest: Digest) throws(SignetError) -> RegularFile? {
    do throws(SignetError) { return try folder.file("\(Self.blobs)/\(digest.hex)") } catch
      where error.code == .fileMissing
    {
      return nil
    }
  }

  package func has(_ blob: OCIDescriptor) throws(SignetError) -> Bool { try file(blob.digest)?.size == blob.size }

  package func feed(_ blob: OCIDescriptor) throws(SignetError) -> BlobFeed {
    guard let file = try file(blob.digest) else {
      throw SignetError(.ociNotFound, "\(name)@\(blob.digest)", "is not there", hint: "copy it again")
    }
    return .file(file)
  }

  package func read(
    _ digest: Digest, atMost limit: Int, _ take: ([UInt8]) throws(SignetError) -> Void
  ) throws(SignetError) {
    guard let file = try file(digest) else {
      throw SignetError(.ociNotFound, "\(name)@\(digest)", "is not there", hint: "copy it again")
    }
    guard file.size <= limit else {
      throw SignetError(
        .ociBounds, "\(name)@\(digest)", "is larger than it may be", expected: "at most \(limit) bytes",
        found: "\(file.size) bytes")
    }
    for offset in stride(from: 0, to: file.size, by: Self.pieceSize) {
      try take(try file.bytes(in: offset..<min(file.size, offset + Self.pieceSize)))
    }
  }

  package func tags() throws(SignetError) -> [String] {
    let tags = Set(try entries().compactMap { $0.annotations[Annotation.tag] })
    return tags.filter { ManifestName.isTag($0) && !ManifestName.isReferrersTag($0) }.sorted {
      $0.precedesInBytes($1)
    }
  }

  package func referrers(of subject: Digest) throws(SignetError) -> [OCIDescriptor] {
    let list = try listBytes()
    var table = known?.list == list ? known?.referrers : nil
    if table == nil {
      table = try referrers(in: entries(list))
      known = (list, table ?? [:])
    }
    var seen: Set<Digest> = []
    return (table?[subject] ?? []).filter { seen.insert($0.digest).inserted }
  }

  /// The manifests about others, by what they are about.
  private func referrers(in entries: [OCIDescriptor]) throws(SignetError) -> [Digest: [OCIDescriptor]] {
    var table: [Digest: [OCIDescriptor]] = [:]
    var seen: Set<Digest> = []
    for entry in entries where MediaType.documents.contains(where: { $0.isExactly(entry.mediaType) }) {
      guard seen.insert(entry.digest).inserted else { continue }
      let tag = entry.annotations[Annotation.tag]
      do throws(SignetError) {
        if let tag, let subject = ManifestName.subject(ofReferrersTag: tag) {
          table[subject, default: []] += try manifest(entry).parts
        } else {
          let manifest = try manifest(entry)
          if let subject = manifest.subject { table[subject.digest, default: []].append(manifest.descriptor) }
        }
      } catch  where Set.aboutOCIContent.contains(error.code) || error.code == .ociNotFound {
        // A layout may lack what it names (image-spec, "Image Layout"). What cannot be read is about nothing.
        continue
      }
    }
    return table
  }

  // MARK: Writing

  @discardableResult
  package func put(_ blob: OCIDescriptor, _ feed: BlobFeed) throws(SignetError) -> Bool {
    // A file of that name with other bytes is replaced.
    if try has(blob), try file(blob.digest)?.sha256() == blob.digest { return false }
    // A link would lead the bytes out of the layout.
    _ = try folder.subdirectory("blobs").subdirectory("sha256")
    let draft = try OutputDraft(to: "\(path)/\(Self.blobs)/\(blob.digest.hex)", .replace(unless: []))
    try BlobCheck.run(blob, feed, from: "\(blob.digest)") { (piece) throws(SignetError) in try draft.write(piece) }
    try draft.publish()
    return true
  }

  package func put(_ manifest: OCIManifest, tag: String?) throws(SignetError) {
    _ = try put(manifest.descriptor, .file(BytesInMemory(manifest.bytes, path: "\(manifest.digest)")))
    let lock = try Self.lock(folder)
    defer { withExtendedLifetime(lock) {} }
    let index = try index(listBytes())
    var entries = index.parts
    let known = entries.contains { $0.digest == manifest.digest && $0.annotations[Annotation.tag] == nil }
    if let tag {
      let old = entries.filter { $0.annotations[Annotation.tag]?.isExactly(tag) == true }
      if old.count == 1, old[0].digest == manifest.digest { return }
      entries.removeAll { $0.annotations[Annotation.tag]?.isExactly(tag) == true }
      entries.append(Self.entry(manifest, tag))
    } else {
      if known || entries.contains(where: { $0.digest == manifest.digest }) { return }
      entries.append(Self.entry(manifest, nil))
    }
    // A manifest needs no entry without a tag beside one with it.
    if tag != nil { entries.removeAll { $0.digest == manifest.digest && $0.annotations[Annotation.tag] == nil } }
    guard entries.count + index.unread.count <= Self.entryLimit else { throw tooMany(entries.count) }
    let bytes = try OCIManifest(index: entries, unread: index.unread, annotations: index.annotations).bytes
    try OutputFile.write(bytes, to: "\(path)/\(Self.list)", .replace(unless: []))
  }

  /// Waits until nobody else changes a layout.
  private static func lock(_ folder: Directory) throws(SignetError) -> LockFile {
    do throws(SystemFailure) {
      let lock = try LockFile(mark, in: folder, isMade: true, mode: 0o644)
      guard try lock.take(.exclusive, patience: patience) else {
        throw SystemFailure.unavailable("another process changes it")
      }
      return lock
    } catch {
      throw SignetError(.outputFailed, folder.path, "cannot be locked", cause: error, hint: "try again")
    }
  }

  private static func entry(_ manifest: OCIManifest, _ tag: String?) -> OCIDescriptor {
    let known = manifest.descriptor
    return OCIDescriptor(
      known.mediaType, known.digest, size: known.size, artifactType: known.artifactType,
      annotations: tag.map { [Annotation.tag: $0] } ?? [:])
  }
}
