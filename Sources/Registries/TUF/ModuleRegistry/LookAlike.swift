internal import ModuleCatalog
internal import Signet
internal import SignetBase
internal import SignetTUF

/// Identifiers that people can mistake for each other.
///
/// No module is refused for its name. The person who pushes it gets a warning.
enum LookAlike {
  /// Why a new identifier can be mistaken for one that another publisher offers; nil if it cannot.
  static func resemblance(of new: ModuleIdentifier, to known: ModuleIdentifier) -> String? {
    let (new, known) = (new.description, known.description)
    if new == known { return nil }
    if shape(new) == shape(known) { return "they look the same" }
    if skeleton(new) == skeleton(known) { return "they differ by separators alone" }
    if isOneEditApart(Array(new.utf8), Array(known.utf8)) { return "they differ by one letter" }
    return nil
  }

  /// The identifier with letters that look alike made one: 0 and o, 1, l and i, rn and m, vv and w.
  private static func shape(_ identifier: String) -> [UInt8] {
    var shape: [UInt8] = []
    for byte in identifier.utf8 {
      switch byte {
      case UInt8(ascii: "0"): shape.append(UInt8(ascii: "o"))
      case UInt8(ascii: "1"), UInt8(ascii: "i"): shape.append(UInt8(ascii: "l"))
      case UInt8(ascii: "n") where shape.last == UInt8(ascii: "r"): shape[shape.count - 1] = UInt8(ascii: "m")
      case UInt8(ascii: "v") where shape.last == UInt8(ascii: "v"): shape[shape.count - 1] = UInt8(ascii: "w")
      default: shape.append(byte)
      }
    }
    return shape
  }

  /// The shape without dots and hyphens.
  private static func skeleton(_ identifier: String) -> [UInt8] {
    shape(identifier).filter { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "-") }
  }

  /// Whether one insertion, removal or replacement, or an exchange of two neighbours makes one of the other.
  private static func isOneEditApart(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let (short, long) = left.count <= right.count ? (left, right) : (right, left)
    guard long.count - short.count <= 1 else { return false }
    let start = zip(short, long).prefix { $0 == $1 }.count
    let (shortRest, longRest) = (short[start...], long[start...])
    if short.count < long.count { return shortRest.elementsEqual(longRest.dropFirst()) }
    if shortRest.dropFirst().elementsEqual(longRest.dropFirst()) { return true }
    return shortRest.count >= 2 && shortRest.dropFirst(2).elementsEqual(longRest.dropFirst(2))
      && shortRest.prefix(2).reversed().elementsEqual(longRest.prefix(2))
  }
}

extension ModuleRegistry {
  /// Warnings about a new module, for each module of another publisher with which it can be mixed up.
  ///
  /// The names are those of the folders of indexes: reading everybody's metadata would take too long in a large registry,
  /// and nothing but a warning depends on them.
  ///
  /// - Parameter publishers: all publishers of the registry.
  func lookAlikes(
    of new: ModuleIdentifier, _ publishers: [Publisher]
  ) throws(SignetError) -> [SignetError] {
    var warnings: [SignetError] = []
    for known in try modulesByFolders() {
      guard let reason = LookAlike.resemblance(of: new, to: known) else { continue }
      for publisher in publishers {
        guard try publisher.mayOffer(known), try !publisher.mayOffer(new) else { continue }
        warnings.append(
          SignetError(
            .repoLookAlike, "\(new)", "can be mistaken for \(known) of the publisher \(publisher.name)",
            found: reason,
            hint: "check that this is the name that you mean"))
      }
    }
    return warnings
  }

  /// The modules for which there is a folder with an index, in any order.
  private func modulesByFolders() throws(SignetError) -> [ModuleIdentifier] {
    var modules: [ModuleIdentifier] = []
    var open: [[String]] = [[]]
    while let labels = open.popLast() {
      // Names with a dot are versions and files.
      for name in try folder.targetNames(in: labels.joined(separator: "/"))
      where !name.utf8.contains(UInt8(ascii: ".")) {
        if name.isExactly(RegistryLayout.indexFolder), let module = ModuleIdentifier(labels.joined(separator: ".")) {
          modules.append(module)
        } else if labels.count < RegistryLayout.labelLimit {
          open.append(labels + [name])
        }
      }
    }
    return modules
  }
}
