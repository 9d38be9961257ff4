#include <signet_plugin.h>
#include <stdio.h>

static const signet_host *host;

static void answer(signet_reply reply, const char *text) {
  signet_value value = {.kind = SIGNET_TEXT, .as.text = signet_text_of(text)};
  host->reply(host->context, reply, &value);
}

static void begin(void *user, const signet_request *request, signet_reply reply) {
  (void)user, (void)request;
  answer(reply, "{{name}} is here");
}

static void show(void *user, const signet_request *request, signet_reply reply) {
  (void)user;
  signet_value item = host->request_value(request, signet_text_of("item"));
  char text[256];
  if (item.kind != SIGNET_TEXT || item.as.text.count > sizeof text / 2) {
    host->fail(host->context, reply, signet_text_of("there is no such item"));
    return;
  }
  snprintf(text, sizeof text, "{{name}} shows %.*s", (int)item.as.text.count, item.as.text.bytes);
  answer(reply, text);
}

// What module.json declares is registered here.
static int32_t did_load(void *user, const signet_host *given) {
  (void)user;
  host = given;
  int32_t status = host->register_route(
      host->context, signet_text_of("ui://{{name}}"), 0, 0, begin, NULL, NULL);
  if (status != SIGNET_OK) { return status; }
  return host->register_route(host->context, signet_text_of("ui://{{name}}/:item"), 0, 0, show, NULL, NULL);
}

__attribute__((visibility("default"))) int32_t {{principal}}(const signet_host *given, signet_plugin *plugin);

// The principal that module.json names.
int32_t {{principal}}(const signet_host *given, signet_plugin *plugin) {
  if (!signet_host_fits(given) || plugin->size < sizeof *plugin) { return SIGNET_ERROR_VERSION; }
  plugin->size = sizeof *plugin;
  plugin->version = SIGNET_PLUGIN_VERSION;
  plugin->did_load = did_load;
  return SIGNET_OK;
}
