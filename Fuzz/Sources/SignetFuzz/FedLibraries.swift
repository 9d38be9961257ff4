@testable import SignetELF
@testable import SignetModules
@testable import SignetNames
@testable import SignetSigning
@testable import SignetSystem
@testable import SignetVerify

/// Shared libraries that the fuzzer makes up.
enum FedLibraries {
  /// What is read can be judged, also as a module of which every part is the same library.
  static func feed(_ bytes: [UInt8]) {
    let source = FedBytes(bytes)
    // What the gate asks of any binary.
    _ = try? ELFProfile(source, path: "m.so")
    for platform in ModulePlatform.all {
      guard let machine = platform.machine,
        let image = try? ELFImage(source, path: "lib/m.so", for: machine)
      else { continue }
      require(image.symbols.allSatisfy { $0.nameBytes.count < bytes.count }, "a name from elsewhere")
      require(image.needed.allSatisfy { $0.utf8.count < bytes.count }, "a needed name from elsewhere")
      guard let identifier = ModuleIdentifier("com.example.player") else { continue }
      let module = ModuleBinary(
        of: identifier, on: platform, main: image, libraries: [image], declared: image.needed,
        principal: "player_main")
      let findings = module.findings()
      require(findings.errors.allSatisfy { $0.code.rawValue.hasPrefix("elf.") }, "a reason of another kind")
      if findings.errors.isEmpty { require(image.buildID != nil, "no build-id, and no reason") }
    }
  }
}

/// Bytes in memory, of which none may be read that is not there.
struct FedBytes: ByteSource {
  let bytes: [UInt8]
  var path: String { "input" }
  var size: Int { bytes.count }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(SignetError) {
    require(offset >= 0 && offset <= size && buffer.count <= size - offset, "read beyond the end")
    buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
  }

  /// Bytes in memory take no space of a disk.
  func discard(_ range: Range<Int>) {}
}
