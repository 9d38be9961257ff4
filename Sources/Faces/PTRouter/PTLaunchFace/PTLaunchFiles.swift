public import PluginHost
internal import SignetBase
internal import SignetSystem

/// Where the launch files of a host are: `AutoInitialize.plist`, `AutoRegistURL.plist`, `AppConfigurator.plist` and
/// `DataModules.plist`. Each may be missing.
///
/// They cannot reach what no verified module registers. But they decide what of that is called at the start, and with
/// which settings. An application's bundle is signed as a whole; here, each file is.
public struct PTLaunchFiles: Sendable {
  /// Reads a file by its name; nil if it is missing.
  let read: @Sendable (_ name: String) throws(SignetError) -> [UInt8]?

  /// The greatest size of a file in bytes: far more than the names and settings of all classes need.
  static let sizeLimit = 1 << 20

  /// Files in a folder that are signed. Each has its statement beside it (`AutoInitialize.plist.sigstore.json`).
  ///
  /// A file that a signer has signed whom the host's policy does not trust for it is refused, and the refusal is told as
  /// an event of the host.
  ///
  /// - Parameters:
  ///   - folder: the path of the folder.
  ///   - host: the host whose policy counts.
  public static func signed(in folder: String, by host: PluginHost) -> PTLaunchFiles {
    PTLaunchFiles { name throws(SignetError) in
      let path = folder + "/" + name
      guard try existing({ () throws(SignetError) in _ = try RegularFile(opening: path) }) != nil else { return nil }
      return try host.signedFile(path, limit: sizeLimit) { (bytes) throws(SignetError) in bytes }
    }
  }

  /// Files in a folder that are taken as they are. Anyone who can write there decides which classes are called, and
  /// with which settings.
  ///
  /// - Parameter folder: the path of the folder.
  public static func unsigned(in folder: String) -> PTLaunchFiles {
    PTLaunchFiles { name throws(SignetError) in
      try existing { () throws(SignetError) in
        try RegularFile(opening: folder + "/" + name).bytes(limit: sizeLimit)
      }
    }
  }

  /// Files that the program itself has, by their names.
  ///
  /// - Parameter files: the bytes of each file.
  public static func inProgram(_ files: [String: [UInt8]]) -> PTLaunchFiles {
    PTLaunchFiles { name throws(SignetError) in files[name] }
  }

  /// What a body gives; nil if its file is missing.
  private static func existing<Value>(_ body: () throws(SignetError) -> Value) throws(SignetError) -> Value? {
    do throws(SignetError) { return try body() } catch {
      guard error.code == .fileMissing else { throw error }
      return nil
    }
  }
}
