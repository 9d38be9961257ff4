import SignetSystem

#if canImport(Glibc)
  internal import PluginHost
  internal import Signet
  internal import SignetCrypto

  /// A host that starts, and ends: what this program does when it is called with `--start-host STORE KEY COUNT`.
  enum HostStart {
    private static let flag = "--start-host"

    /// The call.
    ///
    /// - Parameter count: the modules that have to be loaded by it.
    static func command(_ store: String, count: Int) -> Command {
      let arguments = [flag, store, ModuleMaker.publicKey, "\(count)"]
      return Command(
        "/proc/self/exe", arguments, shown: (["signet-bench"] + arguments).joined(separator: " "))
    }

    /// Starts a host when the arguments ask for one.
    ///
    /// - Throws: when it has loaded another number of modules.
    static func runs(_ arguments: [String]) throws -> Bool {
      guard arguments.count == 5, arguments[1] == flag else { return false }
      let file = try RegularFile(opening: arguments[3])
      let key = try PublicKey(file: SecretBytes(file.bytes(in: 0..<file.size)))
      let host = try PluginHost(policy: TrustPolicy(trusting: [key]), store: arguments[2])
      let count = host.start().count
      guard count == Int(arguments[4]) else { throw BenchFailure(message: "\(count) modules were loaded") }
      return true
    }
  }
#endif
