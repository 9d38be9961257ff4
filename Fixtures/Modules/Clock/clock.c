// A plugin in C: a page that shows the time of a minute of the day, and an action that counts.
#include <signet_plugin.h>
#include <stdatomic.h>
#include <stdio.h>

static const signet_host *host;

static void answer(signet_reply reply, const char *text) {
  signet_value value = {.kind = SIGNET_TEXT, .as.text = signet_text_of(text)};
  host->reply(host->context, reply, &value);
}

static void show(void *user, const signet_request *request, signet_reply reply) {
  (void)user;
  signet_value minutes = host->request_value(request, signet_text_of("minutes"));
  int64_t minute = 0;
  int is_minute = minutes.kind == SIGNET_TEXT && minutes.as.text.count > 0 && minutes.as.text.count <= 4;
  for (size_t index = 0; is_minute && index < minutes.as.text.count; index += 1) {
    char digit = minutes.as.text.bytes[index];
    is_minute = digit >= '0' && digit <= '9';
    minute = minute * 10 + (digit - '0');
  }
  if (!is_minute || minute >= 24 * 60) {
    host->fail(host->context, reply, signet_text_of("a day has the minutes 0 to 1439"));
    return;
  }
  char text[8];
  snprintf(text, sizeof text, "%02d:%02d", (int)(minute / 60), (int)(minute % 60));
  answer(reply, text);
}

static void begin(void *user, const signet_request *request, signet_reply reply) {
  (void)user, (void)request;
  answer(reply, "a day's minutes: ui://clock/0 to ui://clock/1439");
}

static void tick(void *user, const signet_request *request, signet_reply reply) {
  (void)user, (void)request;
  static atomic_int ticks;
  signet_value value = {.kind = SIGNET_INTEGER, .as.integer = atomic_fetch_add(&ticks, 1) + 1};
  host->reply(host->context, reply, &value);
}

static int32_t did_load(void *user, const signet_host *given) {
  (void)user;
  host = given;
  int32_t status = host->register_route(host->context, signet_text_of("ui://clock"), 0, 0, begin, NULL, NULL);
  if (status != SIGNET_OK) { return status; }
  status = host->register_route(host->context, signet_text_of("ui://clock/:minutes"), 0, 0, show, NULL, NULL);
  if (status != SIGNET_OK) { return status; }
  return host->register_action(
      host->context, signet_text_of("Clock"), signet_text_of("tick"), 0, tick, NULL, NULL);
}

__attribute__((visibility("default"))) int32_t clock_main(const signet_host *given, signet_plugin *plugin);

int32_t clock_main(const signet_host *given, signet_plugin *plugin) {
  if (!signet_host_fits(given) || plugin->size < sizeof *plugin) { return SIGNET_ERROR_VERSION; }
  plugin->size = sizeof *plugin;
  plugin->version = SIGNET_PLUGIN_VERSION;
  plugin->did_load = did_load;
  return SIGNET_OK;
}
