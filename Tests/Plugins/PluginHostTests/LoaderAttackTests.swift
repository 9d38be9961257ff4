import Foundation
import ModuleStore
import Signet
import SignetBase
import SignetCrypto
import SignetELF
import SignetSystem
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

/// What was seen to go wrong with plainer loaders, each with real libraries.
@Suite("the loader refuses", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
struct LoaderAttackTests {
  private typealias Workshop = ModuleWorkshop

  /// Loads, and expects a refusal after which nothing has run.
  private func refuse(
    _ code: SignetError.Code, _ module: Workshop.Module, in workshop: Workshop,
    by loader: ModuleLoader = ModuleLoader(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let release = try workshop.install(module)
    expectError(code, sourceLocation: sourceLocation) { _ = try loader.load(release) { _ in } }
    #expect(workshop.marks.isEmpty, sourceLocation: sourceLocation)
    // Nothing was opened, so it may be tried again, and fails for the same reason.
    expectError(code, sourceLocation: sourceLocation) { _ = try loader.load(release) { _ in } }
  }

  @Test("two modules that bring a library of one name")
  func twoUtilities() throws {
    let workshop = try Workshop()
    let loader = ModuleLoader()
    func module(_ name: String) -> Workshop.Module {
      .init(
        identifier: "com.example.\(name)",
        main: .init(
          source: "int util(void);\n"
            + Workshop.principal(body: "return util() == 7 ? SIGNET_OK : SIGNET_ERROR_FAILED;"),
          needed: ["libutility.so"]),
        libraries: [
          .init(
            name: "libutility.so",
            source: Workshop.constructor(name)
              + "__attribute__((visibility(\"default\"))) int util(void) { return 7; }")
        ])
    }
    let first = try workshop.install(module("first"))
    let code = try loader.load(first) { _ in }
    #expect(code.images.map(\.path) == ["lib/libutility.so", "lib/com_example_first.so"])
    #expect(workshop.marks == ["first"])
    let second = try workshop.install(module("second"))
    expectError(.elfSonameConflict) { _ = try loader.load(second) { _ in } }
    #expect(workshop.marks == ["first"])
  }

  @Test("a library under a name that the host may want later")
  func systemName() throws {
    let workshop = try Workshop()
    try refuseArchive(
      .elfSonameConflict,
      .init(
        identifier: "com.example.capture",
        main: .init(source: Workshop.principal(), flags: ["-Wl,-soname,libz.so.1"])), in: workshop)
  }

  /// What is refused when it is packed; a publisher's own tools may be less strict, so the loader is asked, too.
  private func refuseArchive(
    _ code: SignetError.Code, _ module: Workshop.Module, in workshop: Workshop,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    expectError(code, sourceLocation: sourceLocation) { _ = try workshop.archive(module) }
    try refuse(code, module.unchecked, in: workshop, sourceLocation: sourceLocation)
  }

  @Test("a needed name that is a path", arguments: ["./libneighbour.so", "$ORIGIN/libneighbour.so"])
  func neededPath(_ name: String) throws {
    let workshop = try Workshop()
    let neighbour = try TemporaryFolder()
    try workshop.build(
      .init(
        name: "libneighbour.so", source: Workshop.constructor("neighbour") + "int neighbour = 1;",
        flags: ["-Wl,-soname,\(name)"]), in: neighbour.path, isBrought: false)
    try refuseArchive(
      .elfNeededName,
      .init(
        identifier: "com.example.path",
        main: .init(
          source: Workshop.principal(),
          flags: ["-Wl,--no-as-needed", neighbour.file("libneighbour.so"), "-Wl,-rpath,\(neighbour.path)"])),
      in: workshop)
  }

  @Test("a library that has others loaded in its place", arguments: ["--auxiliary", "--filter"])
  func filters(_ flag: String) throws {
    let workshop = try Workshop()
    let neighbour = try TemporaryFolder()
    try workshop.build(
      .init(name: "libneighbour.so", source: Workshop.constructor("neighbour")), in: neighbour.path, isBrought: true)
    try refuseArchive(
      .elfDynamicTag,
      .init(
        identifier: "com.example.filter",
        main: .init(source: Workshop.principal(), flags: ["-Wl,\(flag),\(neighbour.file("libneighbour.so"))"])),
      in: workshop)
  }

  @Test("a needed library that only a search path, or the system's folders, would find")
  func searchPath() throws {
    let workshop = try Workshop()
    let neighbour = try TemporaryFolder()
    try workshop.build(
      .init(name: "libneighbour.so", source: Workshop.constructor("neighbour") + "int neighbour = 1;"),
      in: neighbour.path, isBrought: true)
    try refuse(
      .loaderLibraryMissing,
      .init(
        identifier: "com.example.search",
        main: .init(
          source: Workshop.principal(),
          flags: ["-Wl,--no-as-needed", neighbour.file("libneighbour.so"), "-Wl,-rpath,\(neighbour.path)"]),
        declared: ["libc.so.6", "libneighbour.so"]), in: workshop)
  }

  @Test("a binary with a symbol that nobody has, before the constructors of what it brings")
  func missingSymbol() throws {
    let workshop = try Workshop()
    try refuse(
      .loaderSymbolMissing,
      .init(
        identifier: "com.example.missing",
        main: .init(
          source: "int util(void); int nobody_has_this(void);\n"
            + Workshop.principal(body: "return util() + nobody_has_this();"), needed: ["libmissing.so"]),
        libraries: [
          .init(
            name: "libmissing.so",
            source: Workshop.constructor("brought")
              + "__attribute__((visibility(\"default\"))) int util(void) { return 0; }")
        ]), in: workshop)
  }

  @Test("a library that makes the host's stack executable")
  func executableStack() throws {
    let workshop = try Workshop()
    try refuseArchive(
      .elfExecutableStack,
      .init(
        identifier: "com.example.stack", main: .init(source: Workshop.principal(), flags: ["-Wl,-z,execstack"])),
      in: workshop)
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    #expect(!maps.split(separator: "\n").contains { $0.hasSuffix("[stack]") && $0.contains("rwxp") })
  }

  @Test("a principal that only libc has")
  func foreignPrincipal() throws {
    let workshop = try Workshop()
    try refuseArchive(
      .elfPrincipal,
      .init(
        identifier: "com.example.foreign",
        main: .init(source: "int getpid(void);\n" + Workshop.principal(body: "return getpid();")), principal: "getpid"
      ),
      in: workshop)
  }

  @Test(
    "files that were changed after the installation", arguments: ["lib/com_example_changed.so", "lib/libchanged.so"])
  func changedFile(_ path: String) throws {
    let workshop = try Workshop()
    let release = try workshop.install(
      .init(
        identifier: "com.example.changed",
        main: .init(
          source: "int util(void);\n" + Workshop.principal(body: "return util();"), needed: ["libchanged.so"]),
        libraries: [
          .init(
            name: "libchanged.so",
            source: Workshop.constructor("brought")
              + "__attribute__((visibility(\"default\"))) int util(void) { return 0; }")
        ]))
    let file = URL(filePath: release.path + "/" + path)
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count / 2] ^= 1
    try FileManager.default.removeItem(at: file)
    try bytes.write(to: file)
    expectError(.digestMismatch) { _ = try ModuleLoader().load(release) { _ in } }
    #expect(workshop.marks.isEmpty)
  }

  @Test("bytes that change while they are copied, sealed and hashed")
  func changingBytes() throws {
    let folder = try TemporaryFolder()
    let good = patternBytes(300_000)
    try folder.write("file", good)
    let digest = try Digest.of(good, .sha256)
    let path = folder.file("file")
    let stop = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let file = open(path, O_WRONLY)
      var byte = good[150_000]
      while stop.wait(timeout: .now()) == .timedOut {
        byte ^= 1
        pwrite(file, &byte, 1, 150_000)
      }
      close(file)
      ended.signal()
    }
    // So many copies of either kind, or the test has tested nothing.
    let (needed, tries) = (50, 50_000)
    var outcomes: [String: Int] = [:]
    for _ in 0..<tries where ["good", "digest.mismatch"].contains(where: { outcomes[$0, default: 0] < needed }) {
      do throws(SignetError) {
        let sealed = try SealedFile(
          copying: RegularFile(opening: folder.file("file")), size: good.count, sha256: digest, name: "race")
        outcomes[try sealed.file.bytes(in: 0..<sealed.file.size) == good ? "good" : "CHANGED", default: 0] += 1
      } catch {
        outcomes[error.code.rawValue, default: 0] += 1
      }
    }
    stop.signal()
    ended.wait()
    #expect(Set(outcomes.keys) == ["good", "digest.mismatch"], "\(outcomes)")
    #expect(outcomes.values.allSatisfy { $0 >= needed }, "\(outcomes)")
  }

  #if os(Linux)
    @Test("where the system denies sealed copies nothing is loaded from its path instead")
    func unavailable() async {
      await #expect(processExitsWith: .exitCode(0)) {
        let workshop = try ModuleWorkshop()
        let release = try workshop.install(
          .init(
            identifier: "com.example.denied",
            main: .init(source: ModuleWorkshop.constructor("main") + ModuleWorkshop.principal())))
        // No file grows any more, those in memory among them.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(1) }
        do throws(SignetError) {
          try ModuleLoader().load(release) { _ in }
          exit(2)
        } catch { exit(error.code == .loaderUnavailable && workshop.marks.isEmpty ? 0 : 3) }
      }
    }
  #endif
}
