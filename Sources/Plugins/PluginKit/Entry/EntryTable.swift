internal import CSignetPlugin

/// The functions that a plugin in C calls.
enum EntryTable {
  static func make() -> signet_host {
    var host = unsafe signet_host()
    unsafe host.size = UInt32(MemoryLayout<signet_host>.size)
    unsafe host.version = UInt32(SIGNET_PLUGIN_VERSION)
    unsafe host.register_route = { context, pattern, priority, fallback, handler, user, release in
      // This comes first, so that the user pointer is released once, whatever happens next.
      let user = unsafe EntryUser(user, release)
      guard let context = unsafe EntryContext.of(context), let pattern = unsafe pattern.text,
        let function = unsafe handler
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      let handler = unsafe EntryHandler(function, user, context.replies)
      return context.status { () throws(PluginError) in
        try context.module.register(route: pattern, priority: Int(priority), allowsFallback: fallback != 0) {
          handler.run(EntryRequest($0), $1)
        }
      }
    }
    unsafe host.register_action = { context, target, action, isLocal, handler, user, release in
      let user = unsafe EntryUser(user, release)
      guard let context = unsafe EntryContext.of(context), let target = unsafe target.text,
        let action = unsafe action.text, let function = unsafe handler
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      let handler = unsafe EntryHandler(function, user, context.replies)
      return context.status { () throws(PluginError) in
        try context.module.register(action, on: target, isLocal: isLocal != 0, body: handler.body(of: action))
      }
    }
    unsafe host.register_fallback = { context, target, handler, user, release in
      let user = unsafe EntryUser(user, release)
      guard let context = unsafe EntryContext.of(context), let target = unsafe target.text,
        let function = unsafe handler
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      let handler = unsafe EntryHandler(function, user, context.replies)
      return context.status { () throws(PluginError) in
        try context.module.register(fallback: { handler.body(of: $0) }, on: target)
      }
    }
    unsafe addServices(&host)
    unsafe addObservers(&host)
    unsafe addCalls(&host)
    unsafe addReplies(&host)
    return unsafe host
  }

  private static func addServices(_ host: inout signet_host) {
    unsafe host.provide_service = { context, name, service in
      guard let context = unsafe EntryContext.of(context), let name = unsafe name.text,
        let service = unsafe service
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      let kept = unsafe CService(service)
      return context.status { () throws(PluginError) in try context.module.provide(name, kept) }
    }
    unsafe host.find_service = { context, name in
      guard let context = unsafe EntryContext.of(context), let name = unsafe name.text else { return nil }
      return unsafe context.module.service(name)?.pointer
    }
    unsafe host.withdraw_service = { context, name in
      guard let context = unsafe EntryContext.of(context), let name = unsafe name.text else {
        return Int32(SIGNET_ERROR_ARGUMENT)
      }
      return context.module.withdraw(named: name) ? Int32(SIGNET_OK) : Int32(SIGNET_ERROR_NOT_FOUND)
    }
  }

  private static func addObservers(_ host: inout signet_host) {
    unsafe host.observe = { context, name, isEvent, observer, user, release, token in
      let user = unsafe EntryUser(user, release)
      guard let context = unsafe EntryContext.of(context), let name = unsafe name.text,
        let function = unsafe observer
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      let observer = unsafe EntryObserver(function, user)
      return context.status { () throws(PluginError) in
        let observation =
          isEvent != 0
          ? try context.module.observe(AppEvent(name)) { observer.run(name, $0) }
          : try context.module.observe(notification: name) { observer.run($0.name, $0.userInfo) }
        let number = context.keep(observation)
        unsafe token?.pointee = number
      }
    }
    unsafe host.stop_observing = { context, token in unsafe EntryContext.of(context)?.stop(token) }
    unsafe host.post = { context, name, values, count in
      guard let context = unsafe EntryContext.of(context), let name = unsafe name.text,
        let values = unsafe swiftValues(values, count)
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      return context.status { () throws(PluginError) in try context.module.post(name, userInfo: values) }
    }
    unsafe host.start_events = { context in
      guard let context = unsafe EntryContext.of(context) else { return Int32(SIGNET_ERROR_ARGUMENT) }
      return context.status { () throws(PluginError) in try context.module.startEvents() }
    }
    unsafe host.stop_events = { context in
      guard let context = unsafe EntryContext.of(context) else { return Int32(SIGNET_ERROR_ARGUMENT) }
      return context.status { () throws(PluginError) in try context.module.stopEvents() }
    }
  }

  private static func addCalls(_ host: inout signet_host) {
    unsafe host.open = { context, url, values, count, completion, user in
      guard let context = unsafe EntryContext.of(context), let url = unsafe url.text,
        let values = unsafe swiftValues(values, count)
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      let caller = unsafe EntryCompletion(completion, user)
      context.module.open(url, userInfo: values) { caller.finish($0) }
      return Int32(SIGNET_OK)
    }
    unsafe host.perform = { context, target, action, values, count, completion, user in
      guard let context = unsafe EntryContext.of(context), let target = unsafe target.text,
        let action = unsafe action.text, let values = unsafe swiftValues(values, count)
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      let caller = unsafe EntryCompletion(completion, user)
      do throws(PluginError) {
        caller.finish(.success(try context.module.perform(action, on: target, with: ActionInput(values))))
      } catch { caller.finish(.failure(error)) }
      return Int32(SIGNET_OK)
    }
    unsafe host.call = { context, target, action, values, count, limit, completion, user in
      guard let context = unsafe EntryContext.of(context), let target = unsafe target.text,
        let action = unsafe action.text, let values = unsafe swiftValues(values, count)
      else { return Int32(SIGNET_ERROR_ARGUMENT) }
      let caller = unsafe EntryCompletion(completion, user)
      let duration = limit == 0 ? Router.defaultLimit : .milliseconds(Int64(clamping: limit))
      context.module.perform(action, on: target, with: ActionInput(values), limit: duration) { caller.finish($0) }
      return Int32(SIGNET_OK)
    }
    unsafe host.has_target = { context, target in
      guard let context = unsafe EntryContext.of(context), let target = unsafe target.text else { return 0 }
      return context.module.hasTarget(target) ? 1 : 0
    }
    unsafe host.resource = { context, path, completion, user in
      guard let context = unsafe EntryContext.of(context), let path = unsafe path.text else {
        return Int32(SIGNET_ERROR_ARGUMENT)
      }
      let caller = unsafe EntryCompletion(completion, user)
      do throws(PluginError) { caller.finish(.success(try context.module.resource(path))) } catch {
        caller.finish(.failure(error))
      }
      return Int32(SIGNET_OK)
    }
    unsafe host.can_open = { context, url in
      guard let context = unsafe EntryContext.of(context), let url = unsafe url.text else { return 0 }
      return context.module.canOpen(url) ? 1 : 0
    }
  }

  private static func addReplies(_ host: inout signet_host) {
    unsafe host.request_url = { request in
      guard let request = unsafe request else { return unsafe signet_text(bytes: nil, count: 0) }
      return unsafe Unmanaged<EntryRequest>.fromOpaque(UnsafeRawPointer(request)).takeUnretainedValue().urlText
    }
    unsafe host.request_action = { request in
      guard let request = unsafe request else { return unsafe signet_text(bytes: nil, count: 0) }
      return unsafe Unmanaged<EntryRequest>.fromOpaque(UnsafeRawPointer(request)).takeUnretainedValue().actionText
    }
    unsafe host.request_sender = { request in
      guard let request = unsafe request else { return unsafe signet_text(bytes: nil, count: 0) }
      return unsafe Unmanaged<EntryRequest>.fromOpaque(UnsafeRawPointer(request)).takeUnretainedValue().senderText
    }
    unsafe host.request_value = { request, name in
      guard let request = unsafe request, let name = unsafe name.text else { return unsafe signet_value() }
      return unsafe Unmanaged<EntryRequest>.fromOpaque(UnsafeRawPointer(request)).takeUnretainedValue().value(name)
    }
    unsafe host.request_given = { request, name in
      guard let request = unsafe request, let name = unsafe name.text else { return unsafe signet_value() }
      return unsafe Unmanaged<EntryRequest>.fromOpaque(UnsafeRawPointer(request)).takeUnretainedValue().given(name)
    }
    unsafe host.reply = { context, reply, value in
      let known: (any Sendable)??
      if let value = unsafe value { known = unsafe value.pointee.swiftValue } else { known = .some(nil) }
      guard let reply = unsafe EntryContext.of(context)?.replies.take(reply) else { return 0 }
      guard let known else {
        return reply.fail(PluginError(.actionType, "a plugin's answer", "is not a value")) ? 1 : 0
      }
      return reply.answer(known) ? 1 : 0
    }
    unsafe host.fail = { context, reply, message in
      let text = unsafe message.text ?? "no reason was given"
      guard let reply = unsafe EntryContext.of(context)?.replies.take(reply) else { return 0 }
      return reply.fail(PluginError(.pluginFailed, "a plugin", PluginURL.shown(text))) ? 1 : 0
    }
    unsafe host.decline = { context, reply in
      guard let reply = unsafe EntryContext.of(context)?.replies.take(reply) else { return 0 }
      return reply.decline() ? 1 : 0
    }
  }
}
