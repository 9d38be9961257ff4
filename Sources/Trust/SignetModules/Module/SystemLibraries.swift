/// The names of libraries that every host has; a module must not bring its own library with such a name, in any
/// version.
package enum SystemLibraries {
  /// The libraries of glibc and the dynamic linker (`ld.so`), of GCC, and those that Signet itself is linked with.
  ///
  /// Each name is the part before `.so`.
  private static let names: Set<String> = [
    "ld-linux-x86-64", "ld-linux-aarch64", "ld-linux", "libBrokenLocale", "libanl", "libc", "libc_malloc_debug",
    "libcrypt", "libdl", "libm", "libmemusage", "libmvec", "libnsl", "libpcprofile", "libpthread", "libresolv",
    "librt",
    "libthread_db", "libutil",
    "libatomic", "libgcc_s", "libstdc++",
    "libarchive", "libcrypto", "libcurl", "libssl", "libz",
    "libBlocksRuntime", "libdispatch", "libPluginKit",
  ]

  /// The prefixes of the name service switch and of Foundation.
  ///
  /// The libraries of Swift's runtime are distinguished from packages like swift-nio by the next character:
  /// libswiftCore, libswift_Concurrency.
  private static let prefixes = ["libnss_", "libFoundation", "lib_Foundation"]

  /// Whether a name is one of these names.
  package static func contains(_ name: String) -> Bool {
    if prefixes.contains(where: { name.utf8.starts(with: $0.utf8) }) { return true }
    let bytes = Array(name.utf8)
    let runtime = "libswift".utf8
    if bytes.starts(with: runtime), let next = bytes.dropFirst(runtime.count).first {
      if next == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(next) { return true }
    }
    let end = bytes.indices.first { bytes[$0...].starts(with: ".so".utf8) } ?? bytes.count
    return names.contains(String(decoding: bytes[..<end], as: UTF8.self))
  }
}
