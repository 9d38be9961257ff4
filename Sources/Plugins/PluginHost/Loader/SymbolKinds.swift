internal import SignetBase
internal import SignetELF

#if canImport(Glibc)
  /// The check that symbols are of the kind that the dynamic linker takes them for.
  ///
  /// If a library asks for a thread-local variable, the linker assumes that the library which has the symbol has such
  /// variables, and ends the process if it has none. It calls initializers that are given by a symbol without a look at
  /// what the symbol is. Which definition it takes depends on order, versions, scopes and what it has found before. So
  /// all definitions of the name have to be of that kind, wherever they are.
  struct SymbolKinds {
    private let images: [ELFImage]

    /// - Parameter images: the module's libraries.
    init(_ images: [ELFImage]) { self.images = images }

    private enum Kind {
      case threadLocal
      case code
    }

    /// A symbol of which the kind matters.
    private struct Use {
      let name: [UInt8]
      let kind: Kind
      let symbol: ELFSymbol
      let image: ELFImage
    }

    /// - Throws: `loader.symbol-missing`.
    func check() throws(SignetError) {
      let uses = images.flatMap(uses)
      guard !uses.isEmpty else { return }
      let own = definitions(of: Set(uses.map(\.name)))
      let process = ProcessLibraries.definitions(of: Set(uses.map(\.name)))
      for use in uses {
        let (own, process) = (own[use.name] ?? [], process[use.name] ?? [])
        // A module's symbols are for itself, except those that a process has once: the first one counts for all.
        let isOnce =
          own.contains { $0.symbol.binding == .unique } || process.contains { !$0.isOfModule && $0.symbol.isUnique }
        if let other = own.first(where: { !isRight($0, for: use) }) { throw wrong(use, other.image.path) }
        let others = process.filter { !$0.isOfModule || (isOnce && $0.symbol.isUnique) }
        if let other = others.first(where: { !isRight($0.symbol, for: use) }) {
          throw wrong(use, other.shownLibrary)
        }
      }
    }

    /// The symbols of an image that the linker looks for, and whose kind it does not look at.
    private func uses(of image: ELFImage) -> [Use] {
      image.symbols.indices.compactMap { number in
        let symbol = image.symbols[number]
        // A library's own definition is taken unless others may replace it.
        guard symbol.binding != .local, symbol.isVisibleToAll else { return nil }
        let kind: Kind
        if symbol.kind == .threadLocal {
          kind = .threadLocal
        } else if image.isInitializer(number) {
          kind = .code
        } else {
          return nil
        }
        return Use(name: Array(symbol.nameBytes), kind: kind, symbol: symbol, image: image)
      }
    }

    private typealias Own = (image: ELFImage, symbol: ELFSymbol)

    /// What the module's libraries define under some names, for others.
    private func definitions(of names: Set<[UInt8]>) -> [[UInt8]: [Own]] {
      var found: [[UInt8]: [Own]] = [:]
      for image in images {
        for symbol in image.symbols where symbol.isDefined && symbol.isVisible {
          let name = Array(symbol.nameBytes)
          if names.contains(name) { found[name, default: []].append((image, symbol)) }
        }
      }
      return found
    }

    private func isRight(_ own: Own, for use: Use) -> Bool {
      switch use.kind {
      case .threadLocal: own.symbol.kind == .threadLocal
      case .code: own.image.isCode(own.symbol)
      }
    }

    private func isRight(_ symbol: LoadedTable.Symbol, for use: Use) -> Bool {
      switch use.kind {
      case .threadLocal: symbol.isThreadLocal
      case .code: symbol.isCode
      }
    }

    private func wrong(_ use: Use, _ library: String) -> SignetError {
      switch use.kind {
      case .threadLocal:
        SignetError(
          .loaderSymbolMissing, use.image.path,
          "needs a thread-local variable, but another kind of symbol has its name", expected: use.symbol.name,
          found: "another kind in \(library)", hint: "build the module for the libraries that this host has")
      case .code:
        SignetError(
          .loaderSymbolMissing, use.image.path,
          "has an initializer or finalizer whose name another kind of symbol has", expected: use.symbol.name,
          found: "another kind in \(library)", hint: "make the function static, or give it a name of its own")
      }
    }
  }
#endif
