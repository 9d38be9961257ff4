internal import CSignetPlugin

/// The host's side of a module's entry: the table of functions, and the context that they work on.
///
/// It lives as long as the process, as the interface says. Code is never unloaded, and may call at any time.
@safe final class EntryContext: @unchecked Sendable {
  // Sendable: the table is written once, before it is shared.
  let module: ModuleContext
  let host: UnsafeMutablePointer<signet_host>
  /// The replies that the module owes.
  let replies = EntryReplies()
  /// Why the plugin could not register: the error that a Swift plugin threw, or the last one of a C plugin's calls.
  let failure = ReadWriteLock<(any Error)?>(nil)
  private let tokens = ReadWriteLock<(next: UInt64, known: [UInt64: ObservationToken])>((1, [:]))

  init(_ module: ModuleContext) {
    self.module = module
    unsafe host = .allocate(capacity: 1)
    unsafe host.initialize(to: EntryTable.make())
    unsafe host.pointee.context = unsafe OpaquePointer(Unmanaged.passUnretained(self).toOpaque())
    unsafe host.pointee.plugin_kit = PluginKitIdentity.pointer
  }

  deinit { unsafe host.deallocate() }

  /// The context for the pointer that C passes back.
  static func of(_ pointer: OpaquePointer?) -> EntryContext? {
    unsafe pointer.map { unsafe Unmanaged<EntryContext>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
  }

  func keep(_ token: ObservationToken) -> UInt64 {
    tokens.write { tokens in
      defer { tokens.next += 1 }
      tokens.known[tokens.next] = token
      return tokens.next
    }
  }

  func stop(_ number: UInt64) { tokens.write { $0.known.removeValue(forKey: number) }?.cancel() }

  /// The status that C gets for an error.
  static func status(of error: PluginError) -> Int32 {
    switch error.code {
    case .routeUndeclared, .targetUndeclared, .serviceUndeclared, .moduleRemoved: Int32(SIGNET_ERROR_UNDECLARED)
    case .routeConflict, .targetConflict, .serviceConflict: Int32(SIGNET_ERROR_CONFLICT)
    case .routeNotFound, .routeModuleRefused, .targetNotFound, .targetModuleRefused, .actionNotFound,
      .resourceMissing:
      Int32(SIGNET_ERROR_NOT_FOUND)
    case .routeTimeout, .routeNoAnswer: Int32(SIGNET_ERROR_TIMEOUT)
    case .patternMalformed, .patternTooLong, .patternDuplicateName, .targetName, .urlMalformed, .urlTooLong,
      .urlControlCharacter, .urlDotSegment, .urlEmptySegment, .routeParameters:
      Int32(SIGNET_ERROR_ARGUMENT)
    default: Int32(SIGNET_ERROR_FAILED)
    }
  }

  /// Runs a body that may fail, and returns its status for C. The error itself is kept for the host.
  func status(_ body: () throws(PluginError) -> Void) -> Int32 {
    do throws(PluginError) {
      try body()
      return Int32(SIGNET_OK)
    } catch {
      failure.write { $0 = error }
      return Self.status(of: error)
    }
  }
}
