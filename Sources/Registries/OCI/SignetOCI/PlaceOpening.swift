package import SignetBase

// A place is a name, which knows neither registries nor directories. So it is opened here.
extension OCIPlace {
  /// Opens the place.
  ///
  /// - Parameter isMade: whether a missing layout is made.
  /// - Throws: `oci.layout`, `file.…`, `output.failed`; `fetch.url`, `fetch.unavailable`.
  package func open(_ settings: RegistrySettings, isMade: Bool = false) throws(SignetError) -> any OCIStorage {
    switch holder {
    case .registry(let name): try OCIRegistry(name, settings)
    case .layout(let path): try OCILayout(path, isMade: isMade)
    }
  }
}
