internal import PluginHost
internal import PropertyLists
internal import SignetBase

/// What a bundle's `Info.plist` says that means something here. Versions are those of the signed description.
struct SMInfo {
  /// The name of the class that the bundle opens with; nil if the name is missing or empty.
  let principalClass: String?

  /// The greatest size of a list in bytes: far more than a bundle's has.
  private static let sizeLimit = 64 << 10
  /// A bundle's list has some dozens of values, one or two levels deep.
  private static let limits = PropertyList.Limits(depth: 8, values: 1024)

  /// Reads an XML or binary property list.
  ///
  /// - Returns: nil if the bytes are not a property list whose root is a dictionary.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit,
      case .dictionary(let list) = try? PropertyList(bytes, limits: Self.limits)
    else { return nil }
    if case .string(let name) = list["NSPrincipalClass"], !name.isEmpty {
      principalClass = name
    } else {
      principalClass = nil
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
