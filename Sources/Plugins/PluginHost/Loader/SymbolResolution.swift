internal import SignetBase
internal import SignetELF

#if canImport(Glibc)
  /// The check that the dynamic linker will find everything that a module's libraries need.
  ///
  /// The linker itself looks when it opens them, one by one. By then the constructors of the first ones have run.
  struct SymbolResolution {
    /// The source of a needed library.
    enum Provider {
      /// A library of the process.
      case process(ProcessLibrary)
      /// A library of the module, by its index.
      case module(Int)
    }

    private let images: [ELFImage]
    private let providers: [[UInt8]: Provider]
    private let global: ProcessLibrary
    private let offers: [Offer]

    /// - Parameters:
    ///   - images: the module's libraries.
    ///   - providers: the source of each needed library, by name.
    ///   - global: the global scope.
    init(_ images: [ELFImage], _ providers: [[UInt8]: Provider], _ global: ProcessLibrary) {
      self.images = images
      self.providers = providers
      self.global = global
      offers = images.map(Offer.init)
    }

    /// - Throws: `loader.version-missing`, `loader.symbol-missing`.
    func check() throws(SignetError) {
      for index in images.indices {
        try checkVersions(of: images[index])
        let scope = scope(of: index)
        let image = images[index]
        // A weak symbol may be missing.
        for number in image.symbols.indices {
          let symbol = image.symbols[number]
          guard !symbol.isDefined, symbol.binding != .local, symbol.binding != .weak else { continue }
          let version = image.versions.version(of: number)
          guard !isFound(Array(symbol.nameBytes), version, scope) else { continue }
          throw missing(symbol, version, image)
        }
      }
      try SymbolKinds(images).check()
    }

    private func missing(_ symbol: ELFSymbol, _ version: String?, _ image: ELFImage) -> SignetError {
      SignetError(
        .loaderSymbolMissing, image.path, "needs a symbol that no library defines",
        expected: version.map { "\(symbol.name)@\($0)" } ?? symbol.name,
        found: image.needed.isEmpty ? "no needed library" : "none in " + image.needed.joined(separator: ", "),
        hint: "build the module for the libraries that this host has")
    }

    private func checkVersions(of image: ELFImage) throws(SignetError) {
      // glibc before 2.36 does not know the short form, and ignores it.
      if image.hasShortRelocations {
        let version = ELFImage.shortRelocationsVersion
        guard let libc = ProcessLibrary.loaded("libc.so.6"), libc.versions.contains(Array(version.utf8)) else {
          throw versionMissing(image, "libc.so.6", version)
        }
      }
      for need in image.versions.needs {
        let known: Set<[UInt8]> =
          switch providers[Array(need.library.utf8)] {
          case .process(let library): library.versions
          case .module(let index): Set(images[index].versions.definitions.map { Array($0.utf8) })
          case nil: []
          }
        guard !known.contains(Array(need.name.utf8)) else { continue }
        throw versionMissing(image, need.library, need.name)
      }
    }

    private func versionMissing(_ image: ELFImage, _ library: String, _ version: String) -> SignetError {
      SignetError(
        .loaderVersionMissing, image.path, "needs a library version that this host does not have",
        expected: "\(library) with \(version)", hint: "build the module on a system as old as the host's")
    }

    /// The libraries that are searched for an image's symbols, in order: the image itself, what it needs, and what
    /// those need.
    private func scope(of index: Int) -> [Provider] {
      var scope: [Provider] = [.module(index)]
      var seen: Set<[UInt8]> = []
      var next = 0
      while next < scope.count {
        defer { next += 1 }
        // What the libraries of the process need is searched together with them.
        guard case .module(let index) = scope[next] else { continue }
        for name in images[index].needed {
          let name = Array(name.utf8)
          if seen.insert(name).inserted, let provider = providers[name] { scope.append(provider) }
        }
      }
      return scope
    }

    /// Whether any library has a symbol.
    private func isFound(_ symbol: [UInt8], _ version: String?, _ scope: [Provider]) -> Bool {
      if global.defines(symbol, version: version) { return true }
      return scope.contains { provider in
        switch provider {
        case .process(let library): library.defines(symbol, version: version)
        case .module(let index): offers[index].has(symbol, version)
        }
      }
    }

    /// The symbols that an image offers, by name.
    private struct Offer {
      /// A definition: its version, by name and number, and whether only a request for that version finds it.
      private struct Definition {
        let version: String?
        let number: Int?
        let isHidden: Bool
      }

      private var definitions: [[UInt8]: [Definition]] = [:]

      init(_ image: ELFImage) {
        for number in image.symbols.indices {
          let symbol = image.symbols[number]
          guard symbol.isDefined, symbol.isVisible, symbol.value != 0 || symbol.kind == .threadLocal else { continue }
          definitions[Array(symbol.nameBytes), default: []].append(
            Definition(
              version: image.versions.version(of: number), number: image.versions.number(of: number),
              isHidden: image.versions.isHidden(number)))
        }
      }

      /// Whether the image offers a symbol. A request with a version finds that version, or a definition without any. A
      /// request without a version finds the first version of a library, or the only definition that is not hidden.
      func has(_ symbol: [UInt8], _ version: String?) -> Bool {
        guard let found = definitions[symbol] else { return false }
        if found.contains(where: { $0.number == nil }) { return true }
        if let version { return found.contains { $0.version?.isExactly(version) ?? false } }
        // 0 and 1 mean no version, and 2 means the first version (glibc, check_match).
        return found.contains { $0.number ?? 0 <= 2 } || found.count { !$0.isHidden } == 1
      }
    }
  }
#endif
