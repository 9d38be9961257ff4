internal import PluginKit
internal import SignetBase

/// Whether host and plugins have one PluginKit.
///
/// A host that links both products has PluginKit twice: the library that plugins name, and what comes with PluginHost into the program.
/// Linkers export from a program what a library that it is linked with defines, too, and the program comes first for everybody
/// (System V ABI, "Shared Object Dependencies"): so the program's copy is everybody's, unless something hides its symbols.
enum SharedPluginKit {
  private static let symbol = "signet_plugin_kit_identity"

  /// Makes sure that it is so. A program that has PluginKit only once is fine, whether or not anybody else can have it.
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
