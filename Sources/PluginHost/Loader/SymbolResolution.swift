internal import Signet
internal import SignetCrypto

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
          // Nobody misses a weak one.
          guard !symbol.isDefined, symbol.binding == .global || symbol.binding == .unique else { continue }
          let version = image.versions.version(of: number)
          guard !isFound(Array(symbol.nameBytes), version, scope) else { continue }
          throw SignetError(
            .loaderSymbolMissing, image.path, "needs a symbol that nobody has",
            expected: version.map { "\(symbol.name)@\($0)" } ?? symbol.name,
            found: image.needed.isEmpty ? "no needed library" : "none in " + image.needed.joined(separator: ", "),
            hint: "build the module for the libraries that this host has")
        }
      }
    }

    private func checkVersions(of image: ELFImage) throws(SignetError) {
      for need in image.versions.needs {
        let known: Set<[UInt8]> =
          switch providers[Array(need.library.utf8)] {
          case .process(let library): library.versions
          case .module(let index): Set(images[index].versions.definitions.map { Array($0.utf8) })
          case nil: []
          }
        guard !known.contains(Array(need.name.utf8)) else { continue }
        throw SignetError(
          .loaderVersionMissing, image.path, "needs a version of a library that this host's does not have",
          expected: "\(need.library) with \(need.name)", hint: "build the module on a system as old as the host's")
      }
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

    private func isFound(_ symbol: [UInt8], _ version: String?, _ scope: [Provider]) -> Bool {
      if global.defines(symbol, version: version) { return true }
      return scope.contains { provider in
        switch provider {
        case .process(let library): library.defines(symbol, version: version)
        case .module(let index): offers[index].has(symbol, version)
        }
      }
    }

    /// What an image offers, by name: the versions of the definitions.
    private struct Offer {
      private var versions: [[UInt8]: [String?]] = [:]
      private let isVersioned: Bool

      init(_ image: ELFImage) {
        isVersioned = !image.versions.definitions.isEmpty
        for number in image.symbols.indices {
          let symbol = image.symbols[number]
          guard symbol.isDefined, symbol.isVisible, symbol.value != 0 || symbol.kind == .threadLocal else { continue }
          versions[Array(symbol.nameBytes), default: []].append(image.versions.version(of: number))
        }
      }

      /// Who asks for a version takes what has none at all; who asks for none takes any.
      func has(_ symbol: [UInt8], _ version: String?) -> Bool {
        guard let found = versions[symbol] else { return false }
        guard let version, isVersioned else { return true }
        return found.contains { $0?.isExactly(version) ?? false }
      }
    }
  }
#endif
