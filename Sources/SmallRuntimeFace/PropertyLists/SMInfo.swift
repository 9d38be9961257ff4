internal import PluginHost

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a bundle's `Info.plist` says that means something here. Versions are those of the signed description.
struct SMInfo: Decodable {
  /// The name of the class that the bundle opens with; nil if there is none, or an empty name.
  let principalClass: String?

  /// The greatest size of a list in bytes: far more than a bundle's has.
  private static let sizeLimit = 64 << 10
  /// The greatest number of marks in a text: those of some two hundred keys.
  private static let markLimit = 1024

  private enum CodingKeys: String, CodingKey { case principalClass = "NSPrincipalClass" }

  /// Reads an XML or binary property list.
  ///
  /// - Returns: nil if it is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit, Self.isShort(bytes),
      let info = try? PropertyListDecoder().decode(SMInfo.self, from: Data(bytes))
    else { return nil }
    self = info
  }

  init(from decoder: any Decoder) throws {
    let list = try decoder.container(keyedBy: CodingKeys.self)
    let name = try? list.decodeIfPresent(String.self, forKey: .principalClass)
    principalClass = name?.isEmpty == false ? name : nil
  }

  /// Whether a text has so few elements that a reader that calls itself for each level has stack enough.
  private static func isShort(_ bytes: [UInt8]) -> Bool {
    switch bytes.first {
    case UInt8(ascii: "b"): true
    case UInt8(ascii: "<"): bytes.count(where: { $0 == UInt8(ascii: "<") }) <= markLimit
    default: false
    }
  }
}

extension SMBundle {
  /// The principal class of the module's `Info.plist`, if that is one of its resources and names one.
  public var principalClass: String? {
    guard let bytes = (try? module?.resource("Info.plist")) ?? nil else { return nil }
    return SMInfo(bytes)?.principalClass
  }
}
