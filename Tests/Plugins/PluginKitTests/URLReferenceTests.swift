import PluginKit
import Testing

@Suite("References relative to a base") struct URLReferenceTests {
  private func resolved(_ reference: String, _ base: String = "http://a/b/c/d;p?q") throws -> String {
    try PluginURL.resolve(reference, against: base)
  }

  @Test(
    "SM15: the examples of RFC 3986, section 5.4.1",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
      ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
      (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"),
    ])
  func normal(_ reference: String, _ expected: String) throws { #expect(try resolved(reference) == expected) }

  @Test(
    "SM15: the abnormal examples of RFC 3986, section 5.4.2",
    arguments: [
      ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
      ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
      ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
  func abnormal(_ reference: String, _ expected: String) throws { #expect(try resolved(reference) == expected) }

  @Test("bases without a path, or with no more than a scheme, and texts that are none")
  func bases() throws {
    #expect(try resolved("x", "http://h") == "http://h/x")
    #expect(try resolved("x", "mailto:a") == "mailto:x")
    for (reference, expected) in [
      ("main", "ui://main"), ("main/x?a#b", "ui://main/x?a#b"), ("../x", "ui://x"), ("/x", "ui:///x"),
      ("?q", "ui://?q"),
      ("//h/x", "ui://h/x"), ("", "ui://"), ("x/../y", "ui://y"),
    ] { #expect(try resolved(reference, "ui://") == expected, "\(reference)") }
    #expect(try resolved("a://b/../c", "ui://") == "a://b/c")
    #expect(try resolved("1a:b", "http://h/") == "http://h/1a:b", "a digit begins no scheme")
    #expect(try resolved("é?ü#ö", "http://h/ä/") == "http://h/ä/é?ü#ö")
    expectPluginError(.urlMalformed) { try resolved("x", "no base") }
    expectPluginError(.urlMalformed) { try resolved("x", "") }
    #expect(try resolved("http://h/x", "no base") == "http://h/x")
    expectPluginError(.urlTooLong) { try resolved(String(repeating: "x", count: 20_000)) }
    expectPluginError(.urlTooLong) { try resolved("x", "http://h/" + String(repeating: "x", count: 20_000)) }
  }
}
