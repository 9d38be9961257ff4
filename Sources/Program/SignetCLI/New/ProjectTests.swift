internal import ArgumentParser

/// The tests that a new plugin begins with.
struct ProjectTests: Sendable {
  /// What the tests are written for.
  enum Framework: String, CaseIterable, ExpressibleByArgument {
    /// No tests.
    case none
    /// Swift Testing.
    case swiftTesting = "swift-testing"
    /// XCTest.
    case xctest
    /// A program in C that calls the library as a host does.
    case program

    /// The language of plugins that can have such tests; nil for both.
    var language: NewModuleCommand.Language? {
      switch self {
      case .none: nil
      case .swiftTesting, .xctest: .swift
      case .program: .c
      }
    }

    /// Whether tests of pages can go with it: they have one test for each recorded text.
    var allowsViews: Bool { self == .swiftTesting }

    /// What a plugin in a language can begin with.
    static func choices(for language: NewModuleCommand.Language) -> [Self] {
      allCases.filter { $0.language == nil || $0.language == language }
    }
  }

  var framework = Framework.none
  /// Whether pages are compared with recorded texts.
  var hasViews = false

  // MARK: Swift

  /// The target of the tests, as Package.swift has it after the module's.
  func packageTarget(for module: ModuleScaffold) -> String {
    guard framework.language == .swift else { return "" }
    let views = hasViews ? ", exclude: [\"Views\"]" : ""
    return """
      ,
          .testTarget(name: "\(module.target)Tests", dependencies: ["\(module.target)"]\(views)),
      """
  }

  /// The rule of a Makefile that runs the tests.
  var swiftMakeRule: String {
    guard framework.language == .swift else { return "" }
    return """

      test:
      \tswift test $(SWIFT_BUILD_FLAGS)

      .PHONY: test

      """
  }

  func swiftFiles(for module: ModuleScaffold) -> [ScaffoldFile] {
    let folder = "Tests/\(module.target)Tests"
    var files: [ScaffoldFile] = []
    switch framework {
    case .swiftTesting: files.append(swiftTesting(module, folder))
    case .xctest: files.append(xctest(module, folder))
    case .none, .program: break
    }
    if hasViews {
      files += [
        views(module, folder), ScaffoldFile("\(folder)/Views/first.txt", "\(module.name) is here\n"),
        ScaffoldFile("\(folder)/Views/item.txt", "\(module.name) shows 7\n"),
      ]
    }
    return files
  }

  private func swiftTesting(_ module: ModuleScaffold, _ folder: String) -> ScaffoldFile {
    ScaffoldFile(
      "\(folder)/\(module.capitalizedName)Tests.swift",
      """
      import Testing

      @testable import \(module.target)

      @Suite struct \(module.capitalizedName)Tests {
        @Test("a page shows the item that is asked for")
        func item() { #expect(\(module.capitalizedName)Pages.item("7") == "\(module.name) shows 7") }
      }

      """)
  }

  private func xctest(_ module: ModuleScaffold, _ folder: String) -> ScaffoldFile {
    ScaffoldFile(
      "\(folder)/\(module.capitalizedName)Tests.swift",
      """
      import XCTest

      @testable import \(module.target)

      final class \(module.capitalizedName)Tests: XCTestCase {
        func testItem() { XCTAssertEqual(\(module.capitalizedName)Pages.item("7"), "\(module.name) shows 7") }
      }

      """)
  }

  private func views(_ module: ModuleScaffold, _ folder: String) -> ScaffoldFile {
    ScaffoldFile(
      "\(folder)/\(module.capitalizedName)ViewTests.swift",
      """
      \(["Foundation", "Testing"].map { "import \($0)" }.joined(separator: "\n"))

      @testable import \(module.target)

      /// Pages are compared with the texts in Views. RECORD_VIEWS=1 writes them: look at the difference before you commit it.
      @Suite struct \(module.capitalizedName)ViewTests {
        static let pages = [
          ("first", \(module.capitalizedName)Pages.first()), ("item", \(module.capitalizedName)Pages.item("7")),
        ]

        @Test("a page is as it was recorded", arguments: pages)
        func view(name: String, page: String) throws {
          let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Views/\\(name).txt")
          if ProcessInfo.processInfo.environment["RECORD_VIEWS"] == "1" {
            try Data((page + "\\n").utf8).write(to: file)
          }
          #expect(try Data(contentsOf: file) == Data((page + "\\n").utf8))
        }
      }

      """)
  }

  // MARK: C

  /// The rule of a Makefile that builds the tests and runs them.
  var cMakeRule: String {
    guard framework == .program else { return "" }
    return """

      # The tests call the library as a host does.
      test: $(LIBRARY) Tests/main.c
      \t$(CC) $(CFLAGS) -I $(SIGNET)/Sources/Plugins/CSignetPlugin/include -o build/test Tests/main.c -ldl
      \tbuild/test $(LIBRARY)

      .PHONY: test

      """
  }

  func cFiles(for module: ModuleScaffold) -> [ScaffoldFile] {
    guard framework == .program else { return [] }
    return [
      ScaffoldFile(
        "Tests/main.c",
        """
        // Calls the module as a host does: make test.
        #include <dlfcn.h>
        #include <signet_plugin.h>
        #include <stdio.h>
        #include <string.h>

        enum { LIMIT = 8, LENGTH = 256 };

        static struct {
          char pattern[LENGTH];
          signet_handler handler;
          void *user;
        } routes[LIMIT];
        static size_t count;
        static const char *item;
        static char answer[LENGTH];

        static void copy(char *place, signet_text text) {
          snprintf(place, LENGTH, "%.*s", (int)text.count, text.bytes);
        }

        static int32_t register_route(
            signet_context *context, signet_text pattern, int64_t priority, uint32_t allows_fallback,
            signet_handler handler, void *user, signet_release release) {
          (void)context, (void)priority, (void)allows_fallback, (void)release;
          if (count == LIMIT) { return SIGNET_ERROR_FAILED; }
          copy(routes[count].pattern, pattern);
          routes[count].handler = handler;
          routes[count].user = user;
          count += 1;
          return SIGNET_OK;
        }

        static signet_value request_value(const signet_request *request, signet_text name) {
          (void)request, (void)name;
          signet_value value = {.kind = item == NULL ? SIGNET_NONE : SIGNET_TEXT, .as.text = signet_text_of(item)};
          return value;
        }

        static int32_t reply(signet_context *context, signet_reply number, const signet_value *value) {
          (void)context, (void)number;
          if (value != NULL && value->kind == SIGNET_TEXT) { copy(answer, value->as.text); }
          return 1;
        }

        static int32_t fail(signet_context *context, signet_reply number, signet_text message) {
          (void)context, (void)number;
          copy(answer, message);
          return 1;
        }

        static int failures;

        static void expect(const char *pattern, const char *given, const char *expected) {
          item = given;
          strcpy(answer, "nothing");
          for (size_t index = 0; index < count; index += 1) {
            if (strcmp(routes[index].pattern, pattern) == 0) { routes[index].handler(routes[index].user, NULL, 1); }
          }
          if (strcmp(answer, expected) == 0) { return; }
          fprintf(stderr, "%s answers \\"%s\\" instead of \\"%s\\"\\n", pattern, answer, expected);
          failures += 1;
        }

        int main(int arguments, char **names) {
          void *library = dlopen(arguments == 2 ? names[1] : "", RTLD_NOW | RTLD_LOCAL);
          void *symbol = library == NULL ? NULL : dlsym(library, "\(module.principal)");
          if (symbol == NULL) {
            fprintf(stderr, "%s\\n", dlerror());
            return 1;
          }
          signet_principal principal;
          memcpy(&principal, &symbol, sizeof principal);
          signet_host host = {
              .size = sizeof host,
              .version = SIGNET_PLUGIN_VERSION,
              .register_route = register_route,
              .request_value = request_value,
              .reply = reply,
              .fail = fail,
          };
          signet_plugin plugin = {.size = sizeof plugin, .version = SIGNET_PLUGIN_VERSION};
          if (principal(&host, &plugin) != SIGNET_OK || plugin.did_load(plugin.user, &host) != SIGNET_OK) {
            fprintf(stderr, "the module does not load\\n");
            return 1;
          }
          expect("ui://\(module.name)", NULL, "\(module.name) is here");
          expect("ui://\(module.name)/:item", "7", "\(module.name) shows 7");
          expect("ui://\(module.name)/:item", NULL, "there is no such item");
          if (failures == 0) { printf("all tests have passed\\n"); }
          return failures != 0;
        }

        """)
    ]
  }
}
