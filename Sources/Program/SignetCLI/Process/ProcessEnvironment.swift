internal import SignetSystem

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What the environment tells the process, and how the process is set up.
package enum ProcessEnvironment {
  /// Whether a variable is set and not empty.
  package static func has(_ name: String) -> Bool {
    guard let value = unsafe getenv(name) else { return false }
    return unsafe value.pointee != 0
  }

  /// The value of a variable; nil if it is not set, or is not text.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: value)
  }

  /// The value of a variable that holds a secret. Afterwards, neither the process nor the programs that it starts have
  /// it.
  static func secret(_ name: String) -> SecretBytes {
    guard let value = unsafe getenv(name) else { return SecretBytes([]) }
    let count = unsafe strlen(value)
    let secret = unsafe SecretBytes(capacity: count) { (memory) in
      unsafe memory.copyMemory(from: UnsafeRawBufferPointer(start: value, count: count))
      return count
    }
    unsafe memset(value, 0, count)
    unsafe unsetenv(name)
    return secret
  }

  /// Sets up the process: a failed write returns an error instead of ending it, and secrets do not get into a core
  /// file.
  package static func prepare() {
    StandardStream.occupy()
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Glibc)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #else
      unsafe setrlimit(RLIMIT_CORE, &none)
    #endif
  }
}

/// The arguments that the process was called with.
package enum ProcessArguments {
  /// The arguments without the program's name; nil if one of them is not UTF-8. Swift would repair it, and it would
  /// then mean another file than the one that was named.
  package static var all: [String]? {
    var arguments: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = unsafe CommandLine.unsafeArgv[index], let text = unsafe String(validatingCString: pointer)
      else { return nil }
      arguments.append(text)
    }
    return arguments
  }
}

/// Where this program's file is.
package enum ProgramPlace {
  #if os(Linux)
    /// What leads to the file.
    static let link = "/proc/self/exe"
  #else
    // The shell found a name without a slash, and only the shell knows where.
    static let link = CommandLine.arguments.first.flatMap { $0.utf8.contains(UInt8(ascii: "/")) ? $0 : nil } ?? ""
  #endif

  /// The path of the file, with links resolved; nil if that cannot be determined.
  ///
  /// A program that was replaced while it runs has a path in /proc that no file has, and that anybody could give to one.
  package static var file: String? {
    guard let path = resolved(link), FileStatus.identities(of: [path]) == FileStatus.identities(of: [link]) else {
      return nil
    }
    return path
  }

  /// A path from the root and without links; nil if it leads nowhere.
  static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(validatingCString: resolved)
  }

  /// The folders above it but the root, the nearest first; empty if its place cannot be determined.
  package static var foldersAbove: [String] {
    guard var path = file else { return [] }
    var folders: [String] = []
    while true {
      path = folder(of: path)
      if path == "/" { return folders }
      folders.append(path)
    }
  }

  /// The folder of a path from the root; the root's is the root.
  static func folder(of path: String) -> String {
    let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return end == path.startIndex ? "/" : String(path[..<end])
  }

  /// The path of a name in a folder.
  static func path(_ name: String, in folder: String) -> String { (folder == "/" ? "" : folder) + "/" + name }
}
