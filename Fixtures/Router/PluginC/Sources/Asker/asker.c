// A plugin in C: page A-1, which asks another module by the scheme that its URL names, demo://asker/a1/MODULE/SCHEME.
#include <desk.h>
#include <signet_plugin.h>
#include <stdio.h>
#include <string.h>

static const signet_host *host;

static const signet_named_value *visitor(void) {
  static signet_named_value values[2];
  values[0] = (signet_named_value){signet_text_of("name"), {.kind = SIGNET_TEXT, .as.text = signet_text_of("BJHL")}};
  values[1] = (signet_named_value){signet_text_of("age"), {.kind = SIGNET_INTEGER, .as.integer = 5}};
  return values;
}

// What comes of asking is what this page answers with.
static void pass_on(void *reply, int32_t status, const signet_value *value) {
  if (status == SIGNET_OK)
    host->reply(host->context, (signet_reply)(uintptr_t)reply, value);
  else
    host->fail(host->context, (signet_reply)(uintptr_t)reply, value->as.text);
}

static void pass_text_on(signet_reply reply, const char *text, size_t count) {
  signet_value value = {.kind = SIGNET_TEXT, .as.text = {text, count}};
  host->reply(host->context, reply, &value);
}

typedef struct heard {
  char text[256];
  size_t count;
} heard;

static void answer_observer(void *user, signet_text name, const signet_named_value *values, size_t count) {
  (void)name;
  heard *answer = user;
  if (count != 1 || values[0].value.kind != SIGNET_TEXT) return;
  signet_text text = values[0].value.as.text;
  if (text.count > sizeof answer->text) return;
  memcpy(answer->text, text.bytes, text.count);
  answer->count = text.count;
}

static void by_notification(const char *module, signet_reply reply) {
  char name[64];
  heard answer = {.count = 0};
  signet_token token;
  snprintf(name, sizeof name, "%s.answer", module);
  if (host->observe(host->context, signet_text_of(name), 0, answer_observer, &answer, NULL, &token) != SIGNET_OK) return;
  snprintf(name, sizeof name, "%s.ask", module);
  // Whoever observes is called before post returns.
  host->post(host->context, signet_text_of(name), visitor(), 2);
  host->stop_observing(host->context, token);
  pass_text_on(reply, answer.text, answer.count);
}

static void by_service(signet_reply reply) {
  const desk_greeter *greeter = host->find_service(host->context, signet_text_of("desk.greeter"));
  if (greeter == NULL || greeter->size < sizeof *greeter) {
    host->fail(host->context, reply, signet_text_of("nobody provides desk.greeter"));
    return;
  }
  char text[256];
  pass_text_on(reply, text, greeter->greet("BJHL", 4, 5, text, sizeof text));
}

static int is(signet_value value, const char *text) {
  return value.kind == SIGNET_TEXT && value.as.text.count == strlen(text)
      && memcmp(value.as.text.bytes, text, value.as.text.count) == 0;
}

static void ask(void *user, const signet_request *request, signet_reply reply) {
  (void)user;
  void *pointer = (void *)(uintptr_t)reply;
  const char *module = is(host->request_value(request, signet_text_of("module")), "desk") ? "desk" : "guide";
  signet_value scheme = host->request_value(request, signet_text_of("scheme"));
  if (is(scheme, "url")) {
    char url[64];
    snprintf(url, sizeof url, "demo://%s/c2/BJHL?age=5", module);
    if (host->can_open(host->context, signet_text_of(url)) == 0) {
      host->fail(host->context, reply, signet_text_of("nobody serves it"));
      return;
    }
    host->open(host->context, signet_text_of(url), NULL, 0, pass_on, pointer);
  } else if (is(scheme, "target")) {
    host->perform(
        host->context, signet_text_of(module), signet_text_of("greet"), visitor(), 2, pass_on, pointer);
  } else if (is(scheme, "service")) {
    by_service(reply);
  } else {
    by_notification(module, reply);
  }
}

static int32_t did_load(void *user, const signet_host *loaded) {
  (void)user;
  host = loaded;
  return host->register_route(
      host->context, signet_text_of("demo://asker/a1/:module/:scheme"), 0, 0, ask, NULL, NULL);
}

int32_t asker_main(const signet_host *given, signet_plugin *plugin) {
  if (!signet_host_fits(given) || plugin->size < sizeof *plugin || plugin->version != SIGNET_PLUGIN_VERSION)
    return SIGNET_ERROR_VERSION;
  plugin->size = sizeof *plugin;
  plugin->version = SIGNET_PLUGIN_VERSION;
  plugin->did_load = did_load;
  return SIGNET_OK;
}
