import Foundation
import ModuleStore
import Signet
import SignetArchive
import SignetBase
import SignetCrypto
import SignetSystem
import TestSupport
import Testing

@testable import PluginHost

/// Builds, packs, signs and installs modules with real code.
final class ModuleWorkshop {
  #if arch(arm64)
    static let platform = "linux-aarch64"
    static let linker = "ld-linux-aarch64.so.1"
  #else
    static let platform = "linux-x86_64"
    static let linker = "ld-linux-x86-64.so.2"
  #endif

  #if os(Linux)
    static let compiler = Program.find("clang") ?? Program.find("cc")
  #else
    static let compiler: String? = nil
  #endif
  static let isMissing = Comment("no compiler for ELF libraries")
  static let time = UnixTime(seconds: 1_800_000_000)

  let folder: TemporaryFolder
  let key: PrivateKey
  var path: String { folder.file("store") }

  init() throws {
    folder = try TemporaryFolder()
    key = try PrivateKey.generate(.ed25519)
  }

  func policy(_ keys: [PublicKey]? = nil) throws -> TrustPolicy {
    let entries = try (keys ?? [key.publicKey]).enumerated().map {
      try TrustEntry("key-\($0.offset)", .key($0.element), scope: .everything)
    }
    return try TrustPolicy(entries: entries, terms: TrustPolicy.Terms())
  }

  func store(_ policy: TrustPolicy? = nil) throws -> ModuleStore {
    try ModuleStore(creating: path, policy: policy ?? self.policy(), clock: .fixed(Self.time))
  }

  /// A shared library of C.
  struct Library {
    var name = ""
    var source: String
    var flags: [String] = []
    /// Libraries that it is linked with, in the folder of the build.
    var needed: [String] = []
    /// A file that it is a copy of, instead of being built.
    var prebuilt: String?
    /// A file that takes its place once all have been linked.
    var replacement: String?
  }

  /// A module.
  struct Module {
    var identifier: String
    var sequence = 1
    /// What it says that its code is for.
    var platform = ModuleWorkshop.platform
    var main: Library
    /// Libraries that it brings.
    var libraries: [Library] = []
    /// What it says that it needs.
    var declared = ["libc.so.6"]
    var principal = "m_main"
    /// More members of the description, each with a comma in front.
    var members = ""
    var files: [String: String] = [:]
    /// Whether the packer is kept from looking at the code.
    var isUnchecked = false
    /// The same, made without a look at the code.
    var unchecked: Module {
      var copy = self
      copy.isUnchecked = true
      return copy
    }
    /// What the main library has to be called.
    var fileName: String { identifier.replacing(".", with: "_") + ".so" }
  }

  /// Where constructors of libraries leave their mark: a file a library.
  var marks: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("marks"))) ?? []).sorted()
  }

  /// A constructor that leaves a mark.
  static func constructor(_ mark: String) -> String {
    """
    #include <fcntl.h>
    #include <unistd.h>
    __attribute__((constructor)) static void leave_mark(void) { close(open(MARKS "/\(mark)", O_CREAT | O_WRONLY, 0644)); }

    """
  }

  /// The source of a principal that takes part in everything and does nothing.
  static func principal(_ name: String = "m_main", body: String = "return SIGNET_OK;") -> String {
    """
    #include "signet_plugin.h"
    static int32_t did_load(void *user, const signet_host *host) { \(body) }
    __attribute__((visibility("protected"))) int32_t \(name)(const signet_host *host, signet_plugin *plugin) {
      if (!signet_host_fits(host)) return SIGNET_ERROR_VERSION;
      plugin->size = sizeof *plugin;
      plugin->version = SIGNET_PLUGIN_VERSION;
      plugin->did_load = did_load;
      return SIGNET_OK;
    }

    """
  }

  /// The source of a module that serves a route with a text.
  static func page(_ route: String, _ answer: String, principal name: String = "m_main") -> String {
    """
    #include "signet_plugin.h"
    static const signet_host *kept;
    static void show(void *user, const signet_request *request, signet_reply reply) {
      signet_value value = {SIGNET_TEXT, 0, {0}};
      value.as.text = signet_text_of("\(answer)");
      kept->reply(kept->context, reply, &value);
    }

    """
      + principal(
        name,
        body: """
          kept = host; return host->register_route(host->context, signet_text_of("\(route)"), 0, 0, show, NULL, NULL);
          """)
  }

  static let soundFlags = ["-Wl,--build-id=sha1", "-Wl,-z,now", "-Wl,-z,noexecstack"]

  func build(_ library: Library, in place: String, isBrought: Bool) throws {
    if let prebuilt = library.prebuilt {
      return try FileManager.default.copyItem(atPath: prebuilt, toPath: place + "/" + library.name)
    }
    let compiler = try #require(Self.compiler)
    try FileManager.default.createDirectory(
      atPath: folder.file("marks"), withIntermediateDirectories: true)
    try Data(library.source.utf8).write(to: URL(filePath: place + "/source.c"))
    let needed = library.needed.map { "./" + $0 }
    let soname: [String] = isBrought ? ["-Wl,-soname,\(library.name)"] : []
    let result = try Program.run(
      compiler,
      [
        "-shared", "-fPIC", "-O1", "-fvisibility=hidden", "-DMARKS=\"\(folder.file("marks"))\"",
        "-I", Repository.root + "/Sources/Plugins/CSignetPlugin/include", "-o", library.name, "source.c",
      ] + Self.soundFlags + soname + library.flags + needed,
      in: place)
    try #require(result.status == 0, "\(result.errors)")
  }

  /// Makes a module's archive, and signs it with the workshop's key, or with others.
  func archive(_ module: Module, keys: [PrivateKey]? = nil) throws -> (path: String, bundles: [SigstoreBundle]) {
    let source = try TemporaryFolder()
    let lib = source.file("lib")
    try FileManager.default.createDirectory(atPath: lib, withIntermediateDirectories: true)
    for library in module.libraries { try build(library, in: lib, isBrought: true) }
    var main = module.main
    main.name = module.fileName
    try build(main, in: lib, isBrought: false)
    try? FileManager.default.removeItem(atPath: lib + "/source.c")
    for library in module.libraries {
      guard let replacement = library.replacement else { continue }
      try FileManager.default.removeItem(atPath: lib + "/" + library.name)
      try FileManager.default.copyItem(atPath: replacement, toPath: lib + "/" + library.name)
    }
    func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
    try source.write(
      "module.json",
      Array(
        """
        {"identifier": "\(module.identifier)", "version": "1.0.\(module.sequence)", "sequence": \(module.sequence),
         "principal": "\(module.principal)",
         "binary": {"\(module.platform)": {"path": "lib/\(module.fileName)", "needed": [\(list(module.declared))],
           "libraries": [\(list(module.libraries.map { "lib/" + $0.name }))]}}\(module.members)}
        """.utf8))
    for (path, text) in module.files {
      try FileManager.default.createDirectory(
        atPath: (source.file(path) as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try source.write(path, Array(text.utf8))
    }
    let path = folder.file("\(module.identifier)-\(module.sequence).zip")
    if module.isUnchecked {
      try Self.zip(source.path, to: path)
    } else {
      _ = try ModulePacker().pack(.directory(Directory(opening: source.path)), to: path, as: .zip)
    }
    return (path, try sign(path, keys: keys))
  }

  /// Packs a directory without a look at what is in it.
  private static func zip(_ source: String, to path: String) throws {
    let python = try #require(Program.find("python3"))
    let script = """
      import os, sys, zipfile
      with zipfile.ZipFile(sys.argv[1], "w") as archive:
          for path in sorted(os.path.join(d, f) for d, _, files in os.walk(".") for f in files):
              info = zipfile.ZipInfo(path[2:])
              info.external_attr = 0o100644 << 16
              info.create_system = 3
              archive.writestr(info, open(path, "rb").read())
      """
    let result = try Program.run(python, ["-B", "-c", script, path], in: source)
    try #require(result.status == 0, "\(result.errors)")
  }

  /// Signs an archive.
  func sign(_ path: String, keys: [PrivateKey]? = nil) throws -> [SigstoreBundle] {
    let archive = Artifact.file(try RegularFile(opening: path))
    var bundles: [SigstoreBundle] = []
    for key in keys ?? [key] {
      let signer = try Signer(key)
      bundles.append(
        try bundles.isEmpty
          ? signer.sign(module: archive, Signer.ModuleClaims(name: "m", signedAt: Self.time))
          : signer.addSignature(to: bundles, ofModule: archive, named: "m", at: Self.time))
    }
    return bundles
  }

  /// Makes, signs and installs a module.
  @discardableResult func install(_ module: Module, _ policy: TrustPolicy? = nil) throws -> InstalledModule {
    let made = try archive(module)
    let verified = try Verifier(policy: policy ?? self.policy(), clock: .fixed(Self.time)).verify(
      .file(RegularFile(opening: made.path)), signatures: .bytes(made.bundles.map { try $0.canonicalBytes() }),
      expecting: .module(nil, named: "m")
    ).get()
    return try store(policy).install(verified)
  }
}
