// A plugin in C: page C-2, which answers.
#include "desk.h"

#include <pthread.h>
#include <signet_plugin.h>
#include <stdio.h>
#include <string.h>

static const signet_host *host;

static signet_value text_value(const char *bytes, size_t count) {
  signet_value value = {.kind = SIGNET_TEXT, .as.text = {bytes, count}};
  return value;
}

static void answer(signet_reply reply, const char *text) {
  signet_value value = text_value(text, strlen(text));
  host->reply(host->context, reply, &value);
}

static size_t greet(const char *name, size_t count, int64_t age, char *text, size_t room) {
  int length = snprintf(text, room, "%.*s%lld岁啦", (int)count, name, (long long)age);
  return length > 0 && (size_t)length < room ? (size_t)length : 0;
}

// A URL brings texts, code brings numbers; -1 is no age.
static int64_t age_of(signet_value value) {
  if (value.kind == SIGNET_INTEGER) return value.as.integer;
  int64_t age = 0;
  if (value.kind != SIGNET_TEXT || value.as.text.count == 0 || value.as.text.count > 3) return -1;
  for (size_t index = 0; index < value.as.text.count; index += 1) {
    char digit = value.as.text.bytes[index];
    if (digit < '0' || digit > '9') return -1;
    age = age * 10 + (digit - '0');
  }
  return age;
}

static size_t greet_values(signet_value name, signet_value age, char *text, size_t room) {
  if (name.kind != SIGNET_TEXT || age_of(age) < 0) return 0;
  return greet(name.as.text.bytes, name.as.text.count, age_of(age), text, room);
}

// The page and the action are one function: both are told a name and an age.
static void greet_handler(void *user, const signet_request *request, signet_reply reply) {
  (void)user;
  char text[256];
  size_t count = greet_values(
      host->request_value(request, signet_text_of("name")), host->request_value(request, signet_text_of("age")), text,
      sizeof text);
  if (count == 0) {
    host->fail(host->context, reply, signet_text_of("there is no name, or no age"));
    return;
  }
  signet_value value = text_value(text, count);
  host->reply(host->context, reply, &value);
}

static void ask_observer(void *user, signet_text name, const signet_named_value *values, size_t count) {
  (void)user, (void)name;
  signet_value visitor = {0}, age = {0};
  for (size_t index = 0; index < count; index += 1) {
    signet_text key = values[index].name;
    if (key.count == 4 && memcmp(key.bytes, "name", 4) == 0) visitor = values[index].value;
    if (key.count == 3 && memcmp(key.bytes, "age", 3) == 0) age = values[index].value;
  }
  char text[256];
  size_t length = greet_values(visitor, age, text, sizeof text);
  signet_named_value greeting = {signet_text_of("text"), text_value(text, length)};
  host->post(host->context, signet_text_of("desk.answer"), &greeting, 1);
}

static void active_observer(void *user, signet_text name, const signet_named_value *values, size_t count) {
  (void)user, (void)name, (void)values, (void)count;
  host->post(host->context, signet_text_of("desk.active"), NULL, 0);
}

static void twice_handler(void *user, const signet_request *request, signet_reply reply) {
  (void)user, (void)request;
  signet_value first = text_value("first", 5), second = text_value("second", 6);
  signet_named_value counts[] = {
      {signet_text_of("first"), {.kind = SIGNET_INTEGER, .as.integer = host->reply(host->context, reply, &first)}},
      {signet_text_of("second"), {.kind = SIGNET_INTEGER, .as.integer = host->reply(host->context, reply, &second)}}};
  host->post(host->context, signet_text_of("desk.twice"), counts, 2);
}

static void *answer_later(void *reply) {
  answer((signet_reply)(uintptr_t)reply, "from another thread");
  return NULL;
}

static void later_handler(void *user, const signet_request *request, signet_reply reply) {
  (void)user, (void)request;
  pthread_t thread;
  if (pthread_create(&thread, NULL, answer_later, (void *)(uintptr_t)reply) == 0) pthread_detach(thread);
}

static void never_handler(void *user, const signet_request *request, signet_reply reply) {
  (void)user, (void)request, (void)reply;
}

static int32_t add_route(const char *pattern, signet_handler handler) {
  return host->register_route(host->context, signet_text_of(pattern), 0, 0, handler, NULL, NULL);
}

static int32_t did_load(void *user, const signet_host *loaded) {
  (void)user;
  static const desk_greeter greeter = {sizeof greeter, greet};
  host = loaded;
  // Another's route, which the description of this module does not name.
  if (add_route("demo://guide/c2/:name", greet_handler) != SIGNET_ERROR_UNDECLARED) return SIGNET_ERROR_FAILED;
  int32_t status = add_route("demo://desk/c2/:name", greet_handler);
  if (status == SIGNET_OK) status = add_route("demo://desk/twice", twice_handler);
  if (status == SIGNET_OK) status = add_route("demo://desk/later", later_handler);
  if (status == SIGNET_OK) status = add_route("demo://desk/never", never_handler);
  if (status == SIGNET_OK)
    status = host->register_action(
        host->context, signet_text_of("desk"), signet_text_of("greet"), 0, greet_handler, NULL, NULL);
  if (status == SIGNET_OK)
    status = host->provide_service(host->context, signet_text_of("desk.greeter"), &greeter);
  if (status == SIGNET_OK)
    status = host->observe(host->context, signet_text_of("desk.ask"), 0, ask_observer, NULL, NULL, NULL);
  if (status == SIGNET_OK)
    status = host->observe(host->context, signet_text_of("didBecomeActive"), 1, active_observer, NULL, NULL, NULL);
  return status;
}

int32_t desk_main(const signet_host *given, signet_plugin *plugin) {
  if (!signet_host_fits(given) || plugin->size < sizeof *plugin || plugin->version != SIGNET_PLUGIN_VERSION)
    return SIGNET_ERROR_VERSION;
  plugin->size = sizeof *plugin;
  plugin->version = SIGNET_PLUGIN_VERSION;
  plugin->did_load = did_load;
  return SIGNET_OK;
}
