internal import ArgumentParser
internal import Signet
internal import SignetBase
internal import SignetCLI
internal import SignetOCI

struct CopyCommand: SignetSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Copy modules between OCI registries and directories.",
    discussion: """
      Copies a manifest with everything that it names and everything that is about it, such as signatures. All bytes stay \
      as they are and are compared with their digests. Tags are set last. What is there already is not copied again.

      Nothing is verified but digests: signet pull verifies.

      Without a tag at the second place, the copy has the first one's tag, or none. For a network without a registry, copy \
      into an image layout, carry the directory over, and copy from it.

      A registry gives 64 GiB at most, unless --max-bytes allows more.

      Examples:
        signet copy oci://registry.example.com/modules/player:1.0.0 \\
            oci-layout:carried
        signet copy --all-tags oci-layout:carried \\
            oci://other.example.org/mirror/player
      """)

  @Argument(help: "Where to copy from.", completion: OCIPlace.starts, transform: OCIPlace.argument)
  var from: OCIPlace

  @Argument(help: "Where to copy to.", completion: OCIPlace.starts, transform: OCIPlace.argument)
  var to: OCIPlace

  @Flag(name: .long, help: "Copy what each tag points to.")
  var allTags = false

  @Option(
    name: .long,
    help: ArgumentHelp("Take so many bytes from a registry at most.", valueName: "number"))
  var maxBytes = OCICopy.Limits().bytes

  @OptionGroup var registry: RegistryOptions
  @OptionGroup var output: OutputOptions

  var console: Console { output.console }

  func validate() throws {
    if maxBytes < 0 { throw ValidationError("--max-bytes cannot be negative.") }
    if to.digest != nil { throw ValidationError("A digest cannot be chosen for a copy. Name a tag, or none.") }
    if allTags {
      guard from.manifest == nil, to.tag == nil else {
        throw ValidationError("--all-tags goes with places without tag and digest.")
      }
    } else if from.manifest == nil {
      throw ValidationError("Name a tag or a digest to copy, or all with --all-tags.")
    }
  }

  func execute(_ console: Console) throws(SignetError) -> ExitStatus {
    try CommandRun.judging("copy", about: "\(from)", on: console) { (run) throws(SignetError) in
      let source = try registry.open(from)
      let target = try registry.open(to, isMade: true)
      var limits = OCICopy.Limits()
      limits.bytes = maxBytes
      var copy = OCICopy(from: source, to: target, limits: limits)
      let names = allTags ? try source.tags().map { ManifestName.tag($0) } : [from.manifest].compactMap(\.self)
      for name in names {
        var tag = to.tag
        if tag == nil { tag = allTags ? "\(name)" : from.tag }
        let manifest = try copy.copy(name, tag: tag)
        try run.did(
          .object(
            ("name", .string("\(name)")), ("verdict", .string("copied")), ("tag", tag.map { .string($0) }),
            ("manifest", .string("\(manifest.digest)"))),
          "\(Console.good()) copied  \(name)", "  to        \(target.name)\(tag.map { ":\($0)" } ?? "")",
          "  manifest  \(manifest.digest)")
      }
      for complaint in copy.complaints { console.warn(complaint) }
      let tally = copy.tally
      try console.result(
        names.isEmpty
          ? "there are no tags"
          : "\(tally.manifests.of("manifest", "manifests")), \(tally.referrers) of them about others; \(tally.blobs.of("new blob", "new blobs")), \(tally.bytes.of("byte", "bytes"))"
      )
    }
  }
}
