internal import SignetBase
internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#else
  internal import CLinux
#endif

/// The variables of the process's environment.
package enum ProcessVariables {
  /// All variables whose names and values are UTF-8. Of a name that is there twice, the first one counts, as for getenv.
  ///
  /// No other thread may change the environment meanwhile.
  package static var all: [(name: String, value: String)] {
    #if canImport(Darwin)
      var next = unsafe _NSGetEnviron().pointee
    #else
      var next = unsafe signet_environment()
    #endif
    var variables: [(name: String, value: String)] = []
    var known: Set<[UInt8]> = []
    while let place = unsafe next, let text = unsafe place.pointee {
      unsafe next = place + 1
      guard let line = unsafe String(validatingCString: text),
        let end = line.utf8.firstIndex(of: UInt8(ascii: "="))
      else { continue }
      let name = String(line[..<end])
      guard known.insert(Array(name.utf8)).inserted else { continue }
      variables.append((name, String(decoding: line.utf8[end...].dropFirst(), as: UTF8.self)))
    }
    return variables
  }

  /// The value of a variable; nil if it is not set, or is no UTF-8.
  package static func value(_ name: String) -> String? { all.first { $0.name.isExactly(name) }?.value }
}
