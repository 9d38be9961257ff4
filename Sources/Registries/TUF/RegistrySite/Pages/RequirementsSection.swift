internal import HTMLPages
internal import ModuleCatalog
internal import ReleaseGate
internal import Signet
internal import SignetBase

/// What the newest release of a module requires, as a picture and in words, and which modules require it.
struct RequirementsSection: PageSection {
  /// The most modules that require this one and are shown at once.
  private static let dependentLimit = 50

  private let module: VerifiedRegistry.Module
  private let newest: ModuleRelease
  private let content: VerifiedRegistry
  private let path: SitePath

  init(
    _ module: VerifiedRegistry.Module, _ newest: ModuleRelease, in content: VerifiedRegistry, from path: SitePath
  ) {
    self.module = module
    self.newest = newest
    self.content = content
    self.path = path
  }

  private var requirements: ModuleDescription.Requirements { newest.module.requirements }

  func write(to page: inout HTML) {
    page.addSection("requirements", "Requirements") { page in
      if requirements.modules.isEmpty, requirements.host == nil {
        page.add(.p, .class("empty"), text: "The module requires nothing.")
      } else {
        page.add(.div, .class("chain")) { page in
          page.add(RequirementPicture(newest, in: content))
          page.add(.div) { words(&$0) }
        }
      }
      dependents(&page)
    }
  }

  private func words(_ page: inout HTML) {
    page.add(.h3, text: "In words")
    page.add(.ul, .class("texts"), .role(.list)) { page in
      if let host = requirements.host { page.add(.li, text: "a host of version \(host)") }
      for requirement in requirements.modules {
        page.add(.li) { page in
          if content.byIdentifier[requirement.identifier] != nil {
            page.add("\(requirement.identifier)", from: path, to: .module(requirement.identifier))
          } else {
            page.add(.code, text: "\(requirement.identifier)")
          }
          page.add(" \(requirement.versions)")
          page.add(.span, .class("muted"), text: ", \(Self.state(of: requirement, in: content))")
        }
      }
    }
  }

  /// Whether the registry has what is required.
  static func state(of requirement: ModuleRequirement, in content: VerifiedRegistry) -> String {
    guard let module = content.byIdentifier[requirement.identifier] else { return "not in this registry" }
    if let fitting = module.offered.last(where: { requirement.versions.contains($0) }) { return "\(fitting) fits" }
    return module.hasMoreOffered
      ? "none of the newest \(Amount.number(module.offered.count)) releases fits" : "no fitting release here"
  }

  private func dependents(_ page: inout HTML) {
    guard let dependents = content.dependents[module.identifier] else { return }
    page.add(.h3, text: "Required by \(Amount.of(dependents.count, "module", "modules"))")
    page.addFolded(dependents, limit: Self.dependentLimit, more: { Amount.of($0, "more module", "more modules") }) {
      page, modules in
      page.add(.ul, .class("texts"), .role(.list)) { page in
        for identifier in modules {
          page.add(.li) { $0.add("\(identifier)", from: path, to: .module(identifier)) }
        }
      }
    }
  }
}

/// The requirements of a module as boxes, to which a line leads from the module's own. It is as wide as a telephone's
/// screen, as the chains of the gate's reports are.
struct RequirementPicture: PageSection {
  private static let width = 320
  private static let indent = 40
  private static let padding = 12
  private static let lineHeight = 17
  private static let gap = 14
  /// The most boxes; the words beside the picture have all requirements.
  private static let limit = 20
  /// The columns of a line in the module's own box, and in those of the requirements.
  private static let columns = (own: 40, required: 33)

  private let boxes: [[Line]]
  private let summary: String

  private struct Line {
    let style: HTML.Attribute
    let text: String
  }

  init(_ newest: ModuleRelease, in content: VerifiedRegistry) {
    let requirements = newest.module.requirements
    var boxes = [
      Self.lines(
        "Module", name: "\(newest.identifier)", versions: "\(newest.version)", state: nil, columns: Self.columns.own)
    ]
    if let host = requirements.host {
      boxes.append(
        Self.lines(
          "requires the host", name: "version \(host)", versions: nil, state: nil, columns: Self.columns.required))
    }
    for each in requirements.modules.prefix(Self.limit) {
      boxes.append(
        Self.lines(
          "requires", name: "\(each.identifier)", versions: "\(each.versions)",
          state: RequirementsSection.state(of: each, in: content),
          columns: Self.columns.required))
    }
    if requirements.modules.count > Self.limit {
      let more = requirements.modules.count - Self.limit
      boxes.append([Line(style: .class("role"), text: "and \(Amount.of(more, "more module", "more modules"))")])
    }
    self.boxes = boxes
    summary =
      "\(newest.identifier) requires "
      + ((requirements.host.map { ["the host \($0)"] } ?? [])
      + requirements.modules.prefix(Self.limit).map { "\($0.identifier) \($0.versions)" }).joined(separator: ", ")
  }

  private static func lines(
    _ role: String, name: String, versions: String?, state: String?, columns: Int
  ) -> [Line] {
    var lines = [Line(style: .class("role"), text: role)]
    lines += BoxText.wrap(name, lines: 3, columns: columns).map { Line(style: .class("subject"), text: $0) }
    if let versions {
      lines += BoxText.wrap(versions, lines: 2, columns: columns).map {
        Line(style: .class("identity"), text: $0)
      }
    }
    if let state {
      lines += BoxText.wrap(state, lines: 1, columns: columns).map { Line(style: .class("validity"), text: $0) }
    }
    return lines
  }

  private static func height(_ box: [Line]) -> Int { 2 * padding + box.count * lineHeight }

  func write(to page: inout HTML) {
    let height = boxes.reduce(0) { $0 + Self.height($1) } + (boxes.count - 1) * Self.gap
    page.add(
      .svg, .class("picture"), .role(.img), .label(summary), .viewBox(Self.width, height),
      .measure(.width, Self.width), .measure(.height, height)
    ) { page in
      var top = 0
      var (start, end) = (0, 0)
      for (number, box) in boxes.enumerated() {
        let left = number == 0 ? 0 : Self.indent
        add(&page, box, left: left, top: top)
        let middle = top + Self.height(box) / 2
        if number == 0 { start = top + Self.height(box) } else { arrow(&page, to: middle) }
        end = middle
        top += Self.height(box) + Self.gap
      }
      let x = Self.indent / 2
      page.add(.line, .measure(.x1, x), .measure(.y1, start), .measure(.x2, x), .measure(.y2, end))
    }
  }

  private func arrow(_ page: inout HTML, to y: Int) {
    let (from, to) = (Self.indent / 2, Self.indent)
    page.add(.line, .measure(.x1, from), .measure(.y1, y), .measure(.x2, to - 6), .measure(.y2, y))
    page.add(.polygon, .points([(to - 8, y - 5), (to - 8, y + 5), (to, y)]))
  }

  private func add(_ page: inout HTML, _ box: [Line], left: Int, top: Int) {
    let (width, height) = (Self.width - left, Self.height(box))
    // A picture inside a picture is clipped at its edges.
    page.add(
      .svg, .measure(.x, left), .measure(.y, top), .measure(.width, width), .measure(.height, height)
    ) { page in
      page.add(
        .rect, .measure(.x, 1), .measure(.y, 1), .measure(.width, width - 2), .measure(.height, height - 2),
        .measure(.rx, 6))
      for (row, line) in box.enumerated() {
        let baseline = Self.padding + (row + 1) * Self.lineHeight - 5
        page.add(.text, line.style, .measure(.x, Self.padding), .measure(.y, baseline), text: line.text)
      }
    }
  }
}
