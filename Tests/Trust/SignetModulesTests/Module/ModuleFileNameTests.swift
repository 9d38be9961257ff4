import TestSupport
import Testing

@testable import SignetCrypto
@testable import SignetModules
@testable import SignetSigning
@testable import SignetVerify

@Suite struct ModuleFileNameTests {
  private func module(_ identifier: String, _ file: String) throws -> ModuleDescription {
    try ModuleDescription(
      json: Array(
        """
        {"identifier":"\(identifier)","version":"1.0.0","sequence":1,"principal":"p",
        "binary":{"linux-x86_64":{"path":"\(file)"}}}
        """.utf8))
  }

  @Test(
    "SM36: a binary is called after its module",
    arguments: [
      ("com.example.small.lib.utils", "com_example_small_lib_utils.so", true),
      ("com.example.small.lib.utils", "libcom_example_small_lib_utils.so", true),
      ("com.example.small.lib.utils", "lib/x/libcom_example_small_lib_utils.so", true),
      ("com.example.small.lib.utils", "utils.so", false), ("com.example.a", "com_example_a", false),
      ("com.example.a", "com.example.a.so", false), ("com.example.a", "com_example_a.so.1", false),
      ("com.example.a", "com_example_a.dylib", false), ("com.example.a", "COM_example_a.so", false),
      ("com.example.a", "liblibcom_example_a.so", false), ("com.example.a", ".so", false),
      ("com.example.a-b", "com_example_a-b.so", true), ("com.example.a-b", "com_example_a_b.so", false),
      ("library.a", "library_a.so", false), ("library.a", "liblibrary_a.so", true),
    ])
  func names(_ identifier: String, _ file: String, _ isRight: Bool) throws {
    let module = try module(identifier, file)
    guard isRight else {
      expectError(.packingBinaryName) { try ModuleFileName.check(module) }
      return
    }
    try ModuleFileName.check(module)
  }

  @Test("SM36: what a complaint suggests is right")
  func suggestions() throws {
    for text in ["a.b", "com.example.player", "lib.a", "library.of.things", "a-b.c-d", "liba.b"] {
      let identifier = try #require(ModuleIdentifier(text))
      for platform in ModulePlatform.all {
        let name = ModuleFileName.name(of: identifier, on: platform)
        #expect(ModuleFileName.identifier(of: name, on: platform) == identifier)
      }
    }
  }

  @Test("D6: no two modules share a file name")
  func injective() throws {
    // `a.b_c` and `a_b.c` are no identifiers: they have no underscore.
    #expect(ModuleIdentifier("a.b_c") == nil && ModuleIdentifier("a_b.c") == nil)
    let labels = ["a", "b", "lib", "liba", "a-b", "libb"]
    var owners: [String: ModuleIdentifier] = [:]
    for first in labels {
      for second in labels {
        for text in ["\(first).\(second)"] + labels.map({ "\(first).\(second).\($0)" }) {
          let identifier = try #require(ModuleIdentifier(text))
          let stem = text.replacing(".", with: "_")
          for name in ["\(stem).so", "lib\(stem).so"] {
            guard ModuleFileName.identifier(of: name, on: .linuxX86) == identifier else { continue }
            #expect(owners.updateValue(identifier, forKey: name) == nil, "\(name)")
          }
        }
      }
    }
    #expect(owners.count >= labels.count * labels.count)
  }
}
