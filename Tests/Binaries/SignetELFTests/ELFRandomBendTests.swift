import TestSupport
import Testing

@testable import SignetELF

/// Libraries that are bent anywhere in their tables.
@Suite(.enabled(if: ELFWorkshop.compiler != nil, ELFWorkshop.isMissing)) struct ELFRandomBendTests {
  /// Fifty bent ones of each library, three times as many in a whole check; the same every time.
  @Test("whatever is bent in its tables: what is accepted is opened", .slow, .seeded(20_261_122))
  func accepted() throws {
    var random = SeededRandom()
    var accepted: [(String, [UInt8])] = []
    var refused = 0
    for (name, library) in [
      ("gnu", ELFBend.library), ("sysv", ELFBend.classic), ("short", ELFBend.short),
      ("versioned", ELFBend.versioned),
    ] {
      let sound = try library.get()
      let places = try Self.places(sound)
      for _ in 0..<(Extent.isWhole ? 150 : 50) {
        var bytes = sound
        let place = try #require(places.randomElement(using: &random))
        bytes[place] =
          [0, 1, 2, 8, 0x10, 0x40, 0x80, 0xff, bytes[place] &+ 1, bytes[place] ^ 0x20].randomElement(using: &random)
          ?? 0
        guard bytes != sound else { continue }
        if try Self.isAccepted(bytes, like: sound) {
          accepted.append(("\(name) \(place)", bytes))
        } else {
          refused += 1
        }
      }
    }
    #expect(accepted.count > 16 && refused > 50, "\(accepted.count) \(refused)")
    for (one, status) in zip(accepted, try ELFOpener.statuses(accepted.map(\.1))) {
      #expect(status == 0, "\(one.0): \(status)")
    }
  }

  /// Where headers and tables stand, initializers' addresses excepted: code that is begun in its middle does whatever it does.
  private static func places(_ bytes: [UInt8]) throws -> [Int] {
    let patch = ELFPatch(bytes)
    let image = try ELFWorkshop.image(bytes)
    var places = Array(0..<64) + (0..<patch.u16(56) * 56).map { Int(patch.u64(32)) + $0 } + Array(image.dynamic.range)
    places += Array(image.symbols.range)
    for (tag, size) in [
      (ELFDynamicTag.relocations, ELFDynamicTag.relocationsSize), (.procedureRelocations, .procedureRelocationsSize),
      (.relatives, .relativesSize),
    ] {
      if let table = try patch.table(tag, size) { places += Array(table) }
    }
    for tag in [ELFDynamicTag.gnuHash, .hash, .versions] {
      guard let entry = try patch.find(tag) else { continue }
      let start = try patch.offset(patch.u64(entry + 8))
      places += Array(start..<start + 64)
    }
    let functions = try [
      (ELFDynamicTag.initializers, ELFDynamicTag.initializersSize), (.finalizers, .finalizersSize),
    ]
    .compactMap { try patch.table($0, $1) }
    let initializers = try patch.all(.own).filter { entry in
      let place = try patch.offset(patch.u64(entry))
      return functions.contains { $0.contains(place) }
    }
    return places.filter { place in !initializers.contains { ($0..<$0 + 24).contains(place) } }
  }

  /// Whether a loader would open it: nothing is wrong with it, and what it needs is there.
  private static func isAccepted(_ bytes: [UInt8], like sound: [UInt8]) throws -> Bool {
    guard let image = try? ELFWorkshop.image(bytes), image.faults().isEmpty else { return false }
    return image.needed == (try ELFWorkshop.image(sound).needed)
      && image.undefinedSymbols.allSatisfy { $0.binding == .weak || ELFBend.known.contains($0.name) }
  }
}
