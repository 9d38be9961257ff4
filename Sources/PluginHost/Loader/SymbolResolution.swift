internal import SignetBase
internal import SignetELF

#if canImport(Glibc)
  /// Whether the dynamic linker will find all that a module's libraries need. It looks when it opens them, one by one:
  /// by then the first ones' constructors have run.
  struct SymbolResolution {
    /// What a needed name stands for.
    enum Provider {
      /// A library that the process has.
      case process(ProcessLibrary)
      /// One that the module brings, by its place.
      case module(Int)
    }

    private let images: [ELFImage]
    private let providers: [[UInt8]: Provider]
    private let global: ProcessLibrary
    private let offers: [Offer]

    /// - Parameters:
    ///   - images: the module's libraries.
    ///   - providers: what each needed name stands for.
    ///   - global: what everybody sees.
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
        for number in image.symbols.indices {
          let symbol = image.symbols[number]
          guard symbol.binding != .local, !symbol.isDefined || symbol.kind == .threadLocal else { continue }
          let version = image.versions.version(of: number)
          let place = place(of: Array(symbol.nameBytes), version, scope)
          // Nobody misses a weak one.
          if place == nil, !symbol.isDefined, symbol.binding != .weak { throw missing(symbol, version, image) }
          // The dynamic linker takes for granted that whoever is asked for a variable of threads has some.
          guard symbol.kind == .threadLocal, let place, symbol.isDefined ? symbol.isInterposable : true,
            !isThreadLocal(Array(symbol.nameBytes), version, place)
          else { continue }
          throw SignetError(
            .loaderSymbolMissing, image.path,
            "needs a thread-local variable, but another kind of symbol has its name",
            expected: symbol.name, hint: "build the module for the libraries that this host has")
        }
      }
    }

    private func missing(_ symbol: ELFSymbol, _ version: String?, _ image: ELFImage) -> SignetError {
      SignetError(
        .loaderSymbolMissing, image.path, "needs a symbol that no library defines",
        expected: version.map { "\(symbol.name)@\($0)" } ?? symbol.name,
        found: image.needed.isEmpty ? "no needed library" : "none in " + image.needed.joined(separator: ", "),
        hint: "build the module for the libraries that this host has")
    }

    private func checkVersions(of image: ELFImage) throws(SignetError) {
      // Before 2.36, glibc does not know the short form, and leaves it be.
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

    /// What is looked through for an image's symbols, in order: itself, what it needs, and what those need.
    private func scope(of index: Int) -> [Provider] {
      var scope: [Provider] = [.module(index)]
      var seen: Set<[UInt8]> = []
      var next = 0
      while next < scope.count {
        defer { next += 1 }
        // What libraries of the process need is looked through with them.
        guard case .module(let index) = scope[next] else { continue }
        for name in images[index].needed {
          let name = Array(name.utf8)
          if seen.insert(name).inserted, let provider = providers[name] { scope.append(provider) }
        }
      }
      return scope
    }

    /// Who a symbol comes from; nil where nobody has it.
    private enum Place {
      case process(ProcessLibrary)
      case module(Int)
    }

    private func place(of symbol: [UInt8], _ version: String?, _ scope: [Provider]) -> Place? {
      if global.defines(symbol, version: version) { return .process(global) }
      for provider in scope {
        switch provider {
        case .process(let library): if library.defines(symbol, version: version) { return .process(library) }
        case .module(let index): if offers[index].has(symbol, version) { return .module(index) }
        }
      }
      return nil
    }

    private func isThreadLocal(_ symbol: [UInt8], _ version: String?, _ place: Place) -> Bool {
      switch place {
      case .process(let library): library.hasThreadLocal(symbol, version: version)
      case .module(let index): offers[index].hasThreadLocal(symbol)
      }
    }

    /// What an image offers, by name.
    private struct Offer {
      /// A definition: its version, by name and number, and whether it is for those alone who ask for that.
      private struct Definition {
        let version: String?
        let number: Int?
        let isHidden: Bool
        let isThreadLocal: Bool
      }

      private var definitions: [[UInt8]: [Definition]] = [:]

      init(_ image: ELFImage) {
        for number in image.symbols.indices {
          let symbol = image.symbols[number]
          guard symbol.isDefined, symbol.isVisible, symbol.value != 0 || symbol.kind == .threadLocal else { continue }
          definitions[Array(symbol.nameBytes), default: []].append(
            Definition(
              version: image.versions.version(of: number), number: image.versions.number(of: number),
              isHidden: image.versions.isHidden(number), isThreadLocal: symbol.kind == .threadLocal))
        }
      }

      /// Who asks for a version gets that, or what has none at all. Who asks for none gets the first version of a library, or the only
      /// one that is not hidden.
      func has(_ symbol: [UInt8], _ version: String?) -> Bool {
        guard let found = definitions[symbol] else { return false }
        if found.contains(where: { $0.number == nil }) { return true }
        if let version { return found.contains { $0.version?.isExactly(version) ?? false } }
        // 0 and 1 are those of no version, 2 that of the first (glibc, check_match).
        return found.contains { $0.number ?? 0 <= 2 } || found.count { !$0.isHidden } == 1
      }

      /// Whether all of a name are variables of threads.
      func hasThreadLocal(_ symbol: [UInt8]) -> Bool { definitions[symbol]?.allSatisfy(\.isThreadLocal) ?? false }
    }
  }
#endif
