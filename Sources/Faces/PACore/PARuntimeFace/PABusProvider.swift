public import PACoreFace

extension PABusAccessor {
  /// Sets where the bus finds modules: a host's manager, or a provider of the host's own; nil if it finds none.
  ///
  /// Only a host has this call.
  public func use(_ provider: (any PABundleProvider)?) { bundleProvider = provider }
}
