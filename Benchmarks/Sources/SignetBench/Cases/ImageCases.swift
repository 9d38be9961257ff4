internal import SignetCrypto
internal import SignetSystem

/// Copies between an image layout and Debian's docker-registry: signet against skopeo, which does the same.
enum ImageCases {
  private static let budget = 1.2
  private static let layout = "image-layout"
  private static let data = "image-registry"
  private static let configuration = "image-registry.yml"
  private static let process = "image-registry.pid"
  private static let port = 5987
  /// Where skopeo keeps what it remembers, for root and for others.
  private static let memory =
    "/var/lib/containers/cache/blob-info-cache-v1.boltdb $HOME/.local/share/containers/cache/blob-info-cache-v1.boltdb"

  static func measure(_ workshop: Workshop, _ options: Options) throws -> [Comparison] {
    guard Path.hasProgram("skopeo"), Path.hasProgram("docker-registry") else {
      StandardStream.error.write("skopeo or docker-registry is missing: copies are not measured\n")
      return []
    }
    try makeLayout(workshop)
    try start()
    defer { _ = try? ChildProcess.run(Command("sh", "-c", "kill $(cat \(process))")) }
    let title = "\(Text.size(workshop.largeSize)) from a layout into docker-registry"
    let place = "127.0.0.1:\(port)/a/b"
    // skopeo remembers where it has pushed a blob, and then mounts it.
    let fresh = Command("sh", "-c", "rm -rf \(data)/docker; rm -f \(memory); sync")
    let up = Comparison(
      title,
      Contender(
        "signet copy", Command(workshop.signet, "copy", "oci-layout:\(layout):1", "oci://\(place):1", "--plain-http"),
        after: fresh),
      against: Contender(
        "skopeo copy",
        Command(
          "skopeo", "--insecure-policy", "copy", "-q", "--dest-tls-verify=false", "oci:\(layout):1",
          "docker://\(place):1"), after: fresh), budget: budget, note: "the time of the registry is in both")
    let measured = try up.run(rounds: options.rounds, of: 1, patience: options.patience)
    let empty = Command("sh", "-c", "rm -rf image-copy; sync")
    let down = Comparison(
      "\(Text.size(workshop.largeSize)) from docker-registry into a layout",
      Contender(
        "signet copy",
        Command(workshop.signet, "copy", "oci://\(place):1", "oci-layout:image-copy:1", "--plain-http"),
        after: empty),
      against: Contender(
        "skopeo copy",
        Command(
          "skopeo", "--insecure-policy", "copy", "-q", "--src-tls-verify=false", "docker://\(place):1",
          "oci:image-copy:1"), after: empty), budget: budget, note: "the time of the registry is in both")
    return [measured, try down.run(rounds: options.rounds, of: 1, patience: options.patience)]
  }

  /// A layout with the large file as the only layer of a manifest.
  private static func makeLayout(_ workshop: Workshop) throws {
    let layer = try RegularFile(opening: workshop.large).sha256().hex
    let config = "{}"
    let empty = try Digest.of(Array(config.utf8), .sha256).hex
    let manifest =
      #"{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{"mediaType":"application/vnd.oci.empty.v1+json","digest":"sha256:\#(empty)","size":2},"layers":[{"mediaType":"application/zip","digest":"sha256:\#(layer)","size":\#(workshop.largeSize)}]}"#
    let digest = try Digest.of(Array(manifest.utf8), .sha256).hex
    let index =
      #"{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:\#(digest)","size":\#(manifest.utf8.count),"annotations":{"org.opencontainers.image.ref.name":"1"}}]}"#
    _ = try ChildProcess.run(
      Command("sh", "-c", "mkdir -p \(layout)/blobs/sha256 && ln \(workshop.large) \(layout)/blobs/sha256/\(layer)"))
    for (name, text) in [
      ("blobs/sha256/\(empty)", config), ("blobs/sha256/\(digest)", manifest), ("index.json", index),
      ("oci-layout", #"{"imageLayoutVersion":"1.0.0"}"#),
    ] {
      try TextFile.write(text, to: "\(layout)/\(name)")
    }
  }

  private static func start() throws {
    try TextFile.write(
      "version: 0.1\nlog: {level: error, accesslog: {disabled: true}}\nstorage: {filesystem: {rootdirectory: \(data)}}\nhttp: {addr: '127.0.0.1:\(port)', secret: x}\n",
      to: configuration)
    _ = try ChildProcess.run(
      Command(
        "sh", "-c", "docker-registry serve \(configuration) > /dev/null 2>&1 < /dev/null & echo $! > \(process)"))
    for _ in 0..<60 {
      // A part of bash, not of every shell.
      if (try? ChildProcess.run(Command("bash", "-c", "exec 3<> /dev/tcp/127.0.0.1/\(port)"))) != nil { return }
      Clock.wait()
    }
    throw BenchFailure(message: "docker-registry does not start")
  }
}
