internal import ModuleStore
internal import SignetBase

/// The store's list: the modules that are on offer.
///
/// `PABundleManager` makes one from a file that was signed. The file is a list of items, or a dictionary whose only
/// list holds them: as an XML or binary property list, or as JSON.
public struct PAStoreList: Sendable {
  /// The items, in the order of the file.
  public let items: [PADownloadItem]
  /// Keys that have no meaning here, each with its place, such as `list[3].icon`.
  public let unknownKeys: [String]

  /// The greatest size of a list in bytes: 1,000 items of 1 KiB.
  static let sizeLimit = 1 << 20
  /// The greatest number of items: as many as a store has modules.
  private static let itemLimit = 1000

  /// Reads a list from the bytes that were verified.
  ///
  /// - Throws: `fetch.item`, whose cause says where.
  init(verified bytes: [UInt8]) throws(SignetError) {
    do throws(SignetError) {
      var unknown: [String] = []
      var root = try Self.root(try PAListValue.value(of: bytes), &unknown)
      items = try root.objects("list", atMost: Self.itemLimit).map { (object) throws(SignetError) in
        var object = object
        return try PADownloadItem(&object, unknown: &unknown)
      }
      unknownKeys = unknown
    } catch {
      throw SignetError(
        .fetchItem, error.object, "is not a store's list", cause: error, hint: "correct the list, and sign it again")
    }
  }

  /// The list under the name `list`.
  private static func root(_ value: JSONValue, _ unknown: inout [String]) throws(SignetError) -> JSONObject {
    var list = value
    if case .object(let members) = value.content {
      let lists = members.filter { if case .array = $0.value.content { true } else { false } }
      guard lists.count == 1 else {
        throw SignetError(
          .jsonWrongValue, "the list", "is a dictionary, and it is unclear which of its values are the items",
          expected: "exactly one list in it", found: "\(lists.count)")
      }
      list = lists[0].value
      unknown += members.filter { $0.name != lists[0].name }.map(\.name)
    }
    return try JSONObject(.object(("list", list)), "", unknownField: .fetchItem)
  }
}
