internal import CSignetPlugin

/// The user pointer of a C function, and the function that releases it once, after its last use.
@safe final class EntryUser: @unchecked Sendable {
  // Sendable: the interface says that handlers and observers are called on any thread.
  let pointer: UnsafeMutableRawPointer?
  private let release: signet_release?

  init(_ pointer: UnsafeMutableRawPointer?, _ release: signet_release?) {
    unsafe self.pointer = pointer
    unsafe self.release = release
  }

  deinit { unsafe release?(pointer) }
}

/// A handler of a route or an action.
@safe struct EntryHandler: @unchecked Sendable {
  // Sendable for the same reason as its user pointer.
  private let function: signet_handler
  private let user: EntryUser

  private let replies: EntryReplies

  init(_ function: @escaping signet_handler, _ user: EntryUser, _ replies: EntryReplies) {
    unsafe self.function = function
    self.user = user
    self.replies = replies
  }

  /// The handler as the body of an action.
  func body(of action: String) -> ActionBody {
    .reply { _, input, reply in
      do throws(PluginError) {
        run(EntryRequest(try ActionBody.cast(action, input, as: ActionInput.self), of: action), reply)
      } catch { reply.fail(error) }
    }
  }

  func run(_ request: EntryRequest, _ reply: RouteReply) {
    let number = replies.add(reply)
    withExtendedLifetime(request) {
      unsafe function(user.pointer, OpaquePointer(Unmanaged.passUnretained(request).toOpaque()), number)
    }
  }
}

/// An observer of an event or of notifications.
@safe struct EntryObserver: @unchecked Sendable {
  // Sendable for the same reason as its user pointer.
  private let function: signet_observer
  private let user: EntryUser

  init(_ function: @escaping signet_observer, _ user: EntryUser) {
    unsafe self.function = function
    self.user = user
  }

  func run(_ name: String, _ values: [String: any Sendable]) {
    let arena = ValueArena()
    let named = unsafe values.sorted { $0.key < $1.key }.map { key, value in
      unsafe signet_named_value(name: arena.text(key.utf8), value: arena.value(value))
    }
    withExtendedLifetime(arena) {
      unsafe named.withUnsafeBufferPointer { buffer in
        unsafe function(user.pointer, arena.text(name.utf8), buffer.baseAddress, buffer.count)
      }
    }
  }
}
