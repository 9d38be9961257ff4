/// A part of a page.
package protocol PageSection {
  /// Writes it.
  func write(to page: inout HTML)
}

extension HTML {
  /// Writes a part of the page.
  package mutating func add(_ section: some PageSection) { section.write(to: &self) }
}
