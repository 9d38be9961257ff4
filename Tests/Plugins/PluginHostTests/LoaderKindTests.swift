import Foundation
import ModuleStore
import Signet
import SignetBase
import TestSupport
import Testing

@testable import HostTestSupport
@testable import PluginHost

#if os(Linux)
  /// Symbols of another kind than the dynamic linker takes them for. It would end the process, after constructors have run.
  @Suite(
    "kinds of symbols the loader refuses", .enabled(if: ModuleWorkshop.compiler != nil, ModuleWorkshop.isMissing))
  struct LoaderKindTests {
    private typealias Workshop = ModuleWorkshop

    private static let visible = "__attribute__((visibility(\"default\"))) "
    private static let needed = ["libc.so.6", Workshop.linker]

    /// Loads, and expects a refusal after which nothing has run.
    private func refuse(
      _ module: Workshop.Module, in workshop: Workshop,
      _ message: String =
        "needs a thread-local variable, but another kind of symbol has its name",
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let release = try workshop.install(module)
      let loader = ModuleLoader()
      for _ in 0..<2 {
        let error = expectError(.loaderSymbolMissing, sourceLocation: sourceLocation) {
          _ = try loader.load(release) { _ in }
        }
        #expect(error?.message == message, sourceLocation: sourceLocation)
      }
      #expect(workshop.marks.isEmpty && loader.images.isEmpty, sourceLocation: sourceLocation)
    }

    private func module(
      _ name: String, _ source: String, flags: [String] = [], libraries: [Workshop.Library]
    ) -> Workshop.Module {
      .init(
        identifier: "com.example.\(name)",
        main: .init(
          source: Workshop.constructor("main") + source, flags: flags, needed: libraries.map(\.name)),
        libraries: libraries, declared: Self.needed)
    }

    @Test("a library's own symbol, which it would use first, though another library has the variable")
    func symbolic() throws {
      let workshop = try Workshop()
      let folder = try TemporaryFolder()
      try folder.write("versions", Array("OWN { global: shared_first; };\n".utf8))
      let source = """
        \(Self.visible)int own_first = 3;
        __asm__(".symver own_first,shared_first@OWN");
        extern __thread int shared_first;
        \(Workshop.principal(body: "return shared_first + own_first;"))
        """
      try refuse(
        module(
          "symbolic", source, flags: ["-Wl,-Bsymbolic", "-Wl,--version-script=\(folder.file("versions"))"],
          libraries: [
            .init(
              name: "libfirst.so",
              source: Workshop.constructor("brought") + Self.visible + "__thread int shared_first;")
          ]), in: workshop)
    }

    @Test("a variable with a version, in whose place the process has something without one")
    func versioned() async {
      // In a process of its own, in which a library has that symbol for all.
      await #expect(processExitsWith: .exitCode(0)) {
        let workshop = try ModuleWorkshop()
        let place = try TemporaryFolder()
        try workshop.build(
          .init(name: "libhost.so", source: Self.visible + "int shared_versioned(void) { return 1; }"),
          in: place.path, isBrought: true)
        guard dlopen(place.file("libhost.so"), RTLD_NOW | RTLD_GLOBAL) != nil else { exit(1) }
        try place.write("versions", Array("OWN { global: *; };\n".utf8))
        try Self().refuse(
          Self().module(
            "versioned", "int util(void);\n" + ModuleWorkshop.principal(body: "return util();"),
            libraries: [
              .init(
                name: "libversioned.so",
                source: ModuleWorkshop.constructor("brought") + Self.visible + "__thread int shared_versioned;\n"
                  + Self.visible + "int util(void) { return shared_versioned; }",
                flags: ["-Wl,--version-script=\(place.file("versions"))"])
            ]), in: workshop)
        exit(0)
      }
    }

    @Test("a symbol of the process that is no address, such as the end of a library or a number")
    func absolute() async {
      await #expect(processExitsWith: .exitCode(0)) {
        let workshop = try ModuleWorkshop()
        let place = try TemporaryFolder()
        // dladdr(3) says of this number what it says of thread-local variables: that it is in no library.
        try workshop.build(
          .init(name: "libhost.so", source: "__asm__(\".globl shared_number\\n.set shared_number, 16\\n\");"),
          in: place.path, isBrought: true)
        guard dlopen(place.file("libhost.so"), RTLD_NOW | RTLD_GLOBAL) != nil else { exit(1) }
        try Self().refuse(
          Self().module(
            "absolute",
            "extern __thread int shared_number;\n" + ModuleWorkshop.principal(body: "return shared_number;"),
            libraries: [
              .init(
                name: "libabsolute.so",
                source: ModuleWorkshop.constructor("brought") + Self.visible + "__thread int shared_number;")
            ]), in: workshop)
        exit(0)
      }
    }

    /// A symbol of which a process has one, in a section of data or of thread-local variables.
    private static func unique(_ name: String, _ section: String) -> String {
      """
      __asm__(".pushsection \(section)\\n.globl \(name)\\n.type \(name),@gnu_unique_object\\n.size \(name),4\\n\(name): .zero 4\\n.popsection\\n");

      """
    }

    private static let data = ".data.unique,\\\"aw\\\""
    private static let variables = ".tbss.unique,\\\"awT\\\",@nobits"

    @Test("a variable of which the process has one, and has another kind already")
    func unique() throws {
      let workshop = try Workshop()
      let one = Workshop.Library(
        name: "libone.so",
        source: Workshop.constructor("one") + Self.unique("shared_unique", Self.data)
          + "extern int shared_unique; \(Self.visible)int one(void) { return shared_unique; }")
      // Linkers do not take a variable for two things; the one that makes the binary does not see it.
      let place = try TemporaryFolder()
      let other = Workshop.Library(
        name: "libother.so",
        source: Workshop.constructor("other") + Self.unique("shared_unique", Self.variables)
          + "extern __thread int shared_unique; \(Self.visible)int other(void) { return shared_unique; }")
      try workshop.build(other, in: place.path, isBrought: true)
      let shown = Workshop.Library(
        name: other.name, source: "\(Self.visible)int other(void) { return 0; }",
        replacement: place.file(other.name))
      try refuse(
        module(
          "unique", "int one(void); int other(void);\n" + Workshop.principal(body: "return one() + other();"),
          libraries: [one, shown]), in: workshop)
      // It may also come with an earlier module, whose other symbols are for itself.
      func load(_ name: String, _ library: Workshop.Library) throws -> ModuleLoader.Code {
        let release = try workshop.install(
          module(name, "int \(name)(void);\n" + Workshop.principal(body: "return \(name)();"), libraries: [library]))
        return try ModuleLoader().load(release) { _ in }
      }
      #expect(try load("one", one).images.count == 2)
      let error = expectError(.loaderSymbolMissing) { _ = try load("other", other) }
      #expect(error?.expected == "shared_unique")
      #expect(workshop.marks == ["main", "one"])
    }

    @Test("what modules have for themselves under one name is no conflict")
    func separate() throws {
      let workshop = try Workshop()
      let visible = Self.visible
      func load(_ name: String, _ source: String) throws {
        _ = try ModuleLoader().load(
          workshop.install(module(name, source + Workshop.principal(body: "return SIGNET_OK;"), libraries: []))
        ) { _ in }
      }
      try load("separate1", "\(visible)int shared_separate;\n")
      try load(
        "separate2", "\(visible)__thread int shared_separate; \(visible)int f(void) { return shared_separate; }\n")
      #expect(workshop.marks == ["main"])
    }

    @Test("an initializer by the name of another library's data is refused; one of a function is called")
    func initializers() throws {
      let workshop = try Workshop()
      func module(_ name: String, _ definition: String) -> Workshop.Module {
        .init(
          identifier: "com.example.\(name)",
          main: .init(
            source: "int begin_\(name)(void);\n"
              + "__attribute__((section(\".init_array\"), used)) static int (*first)(void) = begin_\(name);\n"
              + Workshop.principal(), needed: ["lib\(name).so"]),
          libraries: [
            .init(
              name: "lib\(name).so", source: Workshop.constructor("brought") + Self.visible + definition)
          ])
      }
      try refuse(
        module("data", "int begin_data = 3;"), in: workshop,
        "has an initializer or finalizer whose name another kind of symbol has")
      _ = try ModuleLoader().load(workshop.install(module("code", "int begin_code(void) { return 1; }"))) { _ in }
      // Its own function may have a name that others could replace.
      _ = try ModuleLoader().load(
        workshop.install(
          .init(
            identifier: "com.example.own",
            main: .init(
              source: Workshop.constructor("own")
                + "__attribute__((constructor)) \(Self.visible)void begin_own(void) {}\n"
                + Workshop.principal())))
      ) { _ in }
      #expect(workshop.marks == ["brought", "own"])
    }

    @Test("a module whose addresses begin high is loaded, and so are those after it")
    func prelinked() throws {
      let workshop = try Workshop()
      let address = "0x3000000000"
      // GNU's linker and LLVM's have names of their own for it.
      let flags =
        Program.find("ld.lld") != nil
        ? ["-fuse-ld=lld", "-Wl,--image-base=\(address)"] : ["-Wl,-Ttext-segment=\(address)"]
      let release = try workshop.install(
        .init(
          identifier: "com.example.high",
          main: .init(source: Workshop.constructor("high") + Workshop.principal(), flags: flags)))
      let image = try #require(try ModuleLoader().load(release) { _ in }.images.first)
      #expect(image.contains(image.start) && !image.contains(image.start - 1))
      #expect(image.start - image.base == 0x30_0000_0000)
      let next = try workshop.install(
        .init(
          identifier: "com.example.next", main: .init(source: Workshop.constructor("next") + Workshop.principal())))
      _ = try ModuleLoader().load(next) { _ in }
      #expect(workshop.marks == ["high", "next"])
    }
  }
#endif
