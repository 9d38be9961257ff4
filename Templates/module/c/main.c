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
  fprintf(stderr, "%s answers \"%s\" instead of \"%s\"\n", pattern, answer, expected);
  failures += 1;
}

int main(int arguments, char **names) {
  void *library = dlopen(arguments == 2 ? names[1] : "", RTLD_NOW | RTLD_LOCAL);
  void *symbol = library == NULL ? NULL : dlsym(library, "{{principal}}");
  if (symbol == NULL) {
    fprintf(stderr, "%s\n", dlerror());
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
    fprintf(stderr, "the module does not load\n");
    return 1;
  }
  expect("ui://{{name}}", NULL, "{{name}} is here");
  expect("ui://{{name}}/:item", "7", "{{name}} shows 7");
  expect("ui://{{name}}/:item", NULL, "there is no such item");
  if (failures == 0) { printf("all tests have passed\n"); }
  return failures != 0;
}
