internal import PluginKit
internal import SignetBase

/// The check that host and plugins share one PluginKit.
///
/// A host that links both products has PluginKit twice: the library that plugins name, and the copy that comes into the
/// program with PluginHost. Linkers export from a program the symbols that a linked library also defines. The program
/// comes first for all libraries (System V ABI, "Shared Object Dependencies"). So all use the program's copy, unless
/// something hides its symbols.
enum SharedPluginKit {
  private static let symbol = "signet_plugin_kit_identity"

  /// Checks for one copy. A program that has PluginKit only once is fine, whether or not others can use that copy.
  ///
  /// - Throws: `host.pluginkit-not-shared`.
  static func check() throws(SignetError) {
    #if canImport(Glibc)
      guard let address = ProcessLibrary.global()?.address(of: symbol),
        let function = unsafe UnsafeRawPointer(bitPattern: address)
      else { return }
      let identity = unsafe unsafeBitCast(function, to: (@convention(c) () -> UnsafeRawPointer).self)
      guard unsafe identity() != PluginKitIdentity.pointer else { return }
      throw SignetError(
        .hostPluginKitNotShared, "the program",
        "has two copies of PluginKit, and its plugins would use the wrong one",
        hint: "export the program's symbols: link it with -Xlinker --export-dynamic and without a version script")
    #endif
  }
}
