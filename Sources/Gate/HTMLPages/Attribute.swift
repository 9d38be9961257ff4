package import SignetBase

extension HTML {
  /// An attribute of an element.
  ///
  /// Only the functions below make one. The parts of a page that browsers act on (classes, identifiers, links) take
  /// literals, numbers and anchors; a text from outside can only become a description.
  package struct Attribute {
    /// The name.
    let name: String
    /// The value, before it is escaped.
    let value: String

    private init(_ name: String, _ value: String = "") {
      self.name = name
      self.value = value
    }

    // MARK: What the style sheet and the script look for

    /// The names of styles. A literal is required.
    package static func `class`(_ names: StaticString) -> Self { Self("class", names.description) }
    /// The place's name, for links.
    package static func id(_ anchor: Anchor) -> Self { Self("id", anchor.description) }
    /// A number that the script compares.
    package static func data(_ name: Data, _ value: Int) -> Self { Self("data-\(name.rawValue)", "\(value)") }

    // MARK: Links and controls

    /// Links to a place of the page.
    package static func link(_ anchor: Anchor) -> Self { Self("href", "#\(anchor)") }
    /// Links to a page of the same site. There are no links to elsewhere.
    package static func link(_ page: PageLink) -> Self { Self("href", page.description) }
    /// The file of a script.
    static func source(_ file: PageLink) -> Self { Self("src", file.description) }
    /// Runs the script when the page is complete.
    static let deferred = Self("defer")
    /// The linked file is the style sheet.
    package static let styleSheet = Self("rel", "stylesheet")
    /// The browser proposes no earlier entries.
    package static let withoutProposals = Self("autocomplete", "off")
    /// What a control does.
    package static func type(_ type: ControlType) -> Self { Self("type", type.rawValue) }
    /// The name of a control.
    package static func name(_ name: StaticString) -> Self { Self("name", name.description) }
    /// The value of a choice.
    package static func value(_ value: StaticString) -> Self { Self("value", value.description) }
    /// The value of a numbered choice.
    package static func value(_ value: Int) -> Self { Self("value", "\(value)") }
    /// The choice at the start.
    package static let checked = Self("checked")
    /// Shows the content of `details`.
    package static let open = Self("open")
    /// Does not show the element until the script does.
    package static let hidden = Self("hidden")

    // MARK: For assistive technology

    /// The role of an element that has another one, or none.
    package static func role(_ role: Role) -> Self { Self("role", role.rawValue) }
    /// The name of an element.
    package static func label(_ text: String) -> Self { Self("aria-label", text) }
    /// Skips what another text says, too.
    package static let decoration = Self("aria-hidden", "true")
    /// Reads changes of the element aloud.
    package static let live = Self("aria-live", "polite")
    /// The element can have the focus, so that it can be scrolled by keys.
    package static let focusable = Self("tabindex", "0")
    /// The header belongs to the column.
    package static let columnScope = Self("scope", "col")
    /// The header belongs to the row.
    package static let rowScope = Self("scope", "row")
    /// More about the element, when the pointer rests on it.
    package static func tip(_ text: String) -> Self { Self("title", text) }
    /// The time for programs.
    package static func time(_ time: UnixTime) -> Self { Self("datetime", "\(time)") }

    // MARK: Pictures

    /// The size of a picture, in its own units.
    package static func viewBox(_ width: Int, _ height: Int) -> Self { Self("viewBox", "0 0 \(width) \(height)") }
    /// A measure in a picture.
    package static func measure(_ measure: Measure, _ value: Int) -> Self { Self(measure.rawValue, "\(value)") }
    /// The corners of a polygon.
    package static func points(_ points: [(x: Int, y: Int)]) -> Self {
      Self("points", points.map { "\($0.x),\($0.y)" }.joined(separator: " "))
    }

    // MARK: The head of the page

    /// The language of the page.
    package static let english = Self("lang", "en")
    /// The encoding of the page.
    package static let utf8 = Self("charset", "utf-8")
    /// What a piece of metadata is about.
    package static func header(_ name: StaticString) -> Self { Self("http-equiv", name.description) }
    /// A piece of metadata.
    package static func content(_ text: StaticString) -> Self { Self("content", text.description) }
    /// What the page may load and run.
    package static func content(_ policy: ContentPolicy) -> Self { Self("content", policy.description) }
  }

  /// What the script compares.
  package enum Data: String, CaseIterable {
    case level, rule
  }

  /// The kinds of controls.
  package enum ControlType: String {
    case radio, search
  }

  /// The roles that elements do not have by themselves.
  package enum Role: String {
    case img, list, region, search
  }

  /// The measures of a picture.
  package enum Measure: String {
    case height, rx, width, x, x1, x2, y, y1, y2
  }

  /// A place of the page that links lead to.
  package enum Anchor: CustomStringConvertible {
    case artifacts, certificates, changes, filter, findings, others
    case artifact(Int)
    case chain(Int)
    case file(Int)
    case rule(Int)
    /// A place of a page of a registry's site.
    case place(StaticString)
    /// A numbered place of such a page.
    case numbered(StaticString, Int)
    /// The findings, grouped by file.
    case files
    /// The findings, grouped by rule.
    case rules

    /// The identifier in the page.
    package var description: String {
      switch self {
      case .artifacts: "artifacts"
      case .certificates: "certificates"
      case .changes: "changes"
      case .filter: "filter"
      case .findings: "findings"
      case .others: "others"
      case .artifact(let number): "artifact-\(number)"
      case .chain(let number): "chain-\(number)"
      case .file(let number): "file-\(number)"
      case .rule(let number): "rule-\(number)"
      case .place(let name): name.description
      case .numbered(let name, let number): "\(name)-\(number)"
      case .files: "by-file"
      case .rules: "by-rule"
      }
    }
  }
}
