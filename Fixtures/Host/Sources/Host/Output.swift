import PluginKit
import SignetBase
import SignetCrypto

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the program prints.
enum Output {
  /// What was refused, and why.
  static func refuse(_ source: String, _ error: SignetError) {
    print("refused: \(source) [\(error.code)]")
    print("  reason    \(error.object) \(error.message)")
    if let expected = error.expected { print("  expected  \(expected)") }
    if let found = error.found { print("  found     \(found)") }
    if let cause = error.cause { print("  because   \(cause)") }
  }

  /// What an open or a call failed with.
  static func refuse(_ error: PluginError) {
    print("failed: \(error.object): \(error.message) [\(error.code)]")
    if let cause = error.cause { print("  because   \(cause)") }
  }

  /// To standard error.
  static func complain(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }

  static func end(_ status: Int32) -> Never { exit(status) }
}
