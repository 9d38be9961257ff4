internal import CSignetPlugin

/// A service in C: an opaque pointer.
@safe struct CService: @unchecked Sendable {
  // Sendable: the interface says that a service may be used on any thread.
  let pointer: UnsafeRawPointer

  init(_ pointer: UnsafeRawPointer) { unsafe self.pointer = pointer }
}

/// A completion function in C that receives the result of a call.
@safe struct EntryCompletion: @unchecked Sendable {
  // Sendable: the interface says that it is called on any thread.
  private let completion: signet_completion?
  private let user: UnsafeMutableRawPointer?

  init(_ completion: signet_completion?, _ user: UnsafeMutableRawPointer?) {
    unsafe self.completion = completion
    unsafe self.user = user
  }

  func finish(_ answer: RouteAnswer) {
    guard let completion = unsafe completion else { return }
    let arena = ValueArena()
    var value: signet_value
    let status: Int32
    switch answer {
    case .success(let result): unsafe (status, value) = unsafe (Int32(SIGNET_OK), arena.value(result))
    case .failure(let error):
      unsafe (status, value) = unsafe (EntryContext.status(of: error), arena.value("\(error)"))
    }
    withExtendedLifetime(arena) { unsafe completion(user, status, &value) }
  }
}

extension ModuleContext {
  func register(_ action: String, on target: String, isLocal: Bool, body: ActionBody) throws(PluginError) {
    try checkDeclared(target, action, isLocal: isLocal)
    try switchboard.targets.register(action, on: target, owner: owner, isLocal: isLocal, body: body)
  }

  func register(fallback: @escaping @Sendable (String) -> ActionBody, on target: String) throws(PluginError) {
    try checkDeclared(target, nil, isLocal: true)
    try switchboard.targets.register(
      fallback: fallback, on: target, owner: owner, declared: declaration.targets[target])
  }

  func provide(_ name: String, _ service: CService) throws(PluginError) {
    try checkDeclared(service: name)
    try switchboard.services.add(.name(name), named: name, of: owner, lifetime: .perCall) { service }
  }

  func service(_ name: String) -> CService? {
    (try? switchboard.services.instance(of: .name(name))).flatMap { $0 as? CService }
  }
}
