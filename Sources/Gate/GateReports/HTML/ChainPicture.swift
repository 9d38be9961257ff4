internal import HTMLPages
internal import ReleaseGate
internal import SignetBase

/// A certificate chain as boxes with arrows, from the signer's certificate down to the trusted one.
///
/// The picture is as wide as a telephone's screen, so that it is never scaled down. Text is broken at a number of
/// columns, and a box shows nothing outside itself, whatever the font.
struct ChainPicture: PageSection {
  private static let width = 320
  private static let padding = 12
  private static let lineHeight = 17
  private static let gap = 34

  private let boxes: [Box]
  private let summary: String

  /// Draws a chain, with expired certificates marked as such.
  init(_ links: [GateReport.ChainLink], at time: UnixTime) {
    boxes = links.enumerated().map { position, link in
      let role =
        position == links.count - 1 ? "Trusted certificate" : position == 0 ? "Signer" : "Intermediate certificate"
      let isExpired = link.notAfter < time
      var lines = [Line(style: .class("role"), text: role)]
      lines += BoxText.wrap(link.name, lines: 3).map { Line(style: .class("subject"), text: $0) }
      lines += BoxText.wrap(link.identity ?? "", lines: 2).map { Line(style: .class("identity"), text: $0) }
      lines.append(
        Line(
          style: isExpired ? .class("expired") : .class("validity"),
          text: "\(isExpired ? "✗ expired" : "valid until") \(link.notAfter.description.prefix(10))"))
      return Box(lines: lines)
    }
    summary =
      "Certificate chain of \(Amount.of(links.count, "certificate", "certificates")), "
      + "from the signer to the trusted one: "
      + links.map { $0.subject.clipped(to: 100) }.joined(separator: ", issued by ")
  }

  private struct Line {
    let style: HTML.Attribute
    let text: String
  }

  private struct Box {
    let lines: [Line]

    var height: Int { 2 * padding + lines.count * lineHeight }
  }

  func write(to page: inout HTML) {
    let height = boxes.reduce(0) { $0 + $1.height } + max(0, boxes.count - 1) * Self.gap
    page.add(
      .svg, .class("picture"), .role(.img), .label(summary), .viewBox(Self.width, height),
      .measure(.width, Self.width), .measure(.height, height)
    ) { page in
      var top = 0
      for (position, box) in boxes.enumerated() {
        if position > 0 {
          arrow(&page, from: top, to: top + Self.gap)
          top += Self.gap
        }
        add(&page, box, at: top)
        top += box.height
      }
    }
  }

  private func add(_ page: inout HTML, _ box: Box, at top: Int) {
    // A picture inside a picture is clipped at its edges.
    page.add(.svg, .measure(.y, top), .measure(.width, Self.width), .measure(.height, box.height)) { page in
      page.add(
        .rect, .measure(.x, 1), .measure(.y, 1), .measure(.width, Self.width - 2), .measure(.height, box.height - 2),
        .measure(.rx, 6))
      for (row, line) in box.lines.enumerated() {
        let baseline = Self.padding + (row + 1) * Self.lineHeight - 5
        page.add(.text, line.style, .measure(.x, Self.padding), .measure(.y, baseline), text: line.text)
      }
    }
  }

  private func arrow(_ page: inout HTML, from top: Int, to bottom: Int) {
    let x = Self.width / 2
    page.add(.line, .measure(.x1, x), .measure(.y1, top), .measure(.x2, x), .measure(.y2, bottom - 6))
    page.add(.polygon, .points([(x - 5, bottom - 8), (x + 5, bottom - 8), (x, bottom)]))
    page.add(.text, .class("role"), .measure(.x, x + 12), .measure(.y, top + Self.gap / 2 + 4), text: "issued by")
  }
}
