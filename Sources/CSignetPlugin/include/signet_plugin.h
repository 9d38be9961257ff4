/// The entry of a plugin, for C, C++ and whatever can call it. This header is all that a plugin in C needs.
///
/// A plugin is a shared library. The description of its module (module.json) names one symbol of it, the principal:
///
///     int32_t player_main(const signet_host *host, signet_plugin *plugin)
///
/// The host calls it once. It looks whether the host is one that it knows, fills in what it offers, and returns SIGNET_OK.
/// Then the host calls `did_load`, in which the plugin registers its routes, targets, services and observers.
///
/// Rules:
/// - Both structures begin with their size and version. Whoever reads one looks only at what lies within the size, and refuses
///   another version. Fields are only ever added at the end; what changes a field's meaning is another version.
/// - Texts are UTF-8 with a length; they need no zero at the end. Texts and values that are passed to a function are the
///   caller's, and live until it returns. Whoever wants to keep one makes a copy.
/// - Functions of the host may be called from any thread, and from within each other, up to 64 deep. Handlers of the plugin are
///   called on threads that the host has for them, several at once; observers and what did_load does on the caller's thread.
/// - A handler returns soon, and answers by then or later. One that does not return keeps one of sixteen threads that the
///   host has for the plugin; its caller goes on when the time is over.
/// - Nothing is ever unloaded: the host's table and context, and the plugin's code, live as long as the process.
#ifndef SIGNET_PLUGIN_H
#define SIGNET_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this interface.
#define SIGNET_PLUGIN_VERSION 1u

/// What functions return: SIGNET_OK, or why not.
enum {
  SIGNET_OK = 0,
  /// Host and plugin know no common version, or a structure is too small.
  SIGNET_ERROR_VERSION = 1,
  /// The plugin has its own copy of PluginKit instead of the host's.
  SIGNET_ERROR_NOT_SHARED = 2,
  /// The plugin could not do it.
  SIGNET_ERROR_FAILED = 3,
  /// An argument that cannot be: no UTF-8, no such kind, a null pointer.
  SIGNET_ERROR_ARGUMENT = 4,
  /// The module's description does not declare it, or the module was removed.
  SIGNET_ERROR_UNDECLARED = 5,
  /// Another has it already.
  SIGNET_ERROR_CONFLICT = 6,
  /// There is none, or its module is refused.
  SIGNET_ERROR_NOT_FOUND = 7,
  /// There was no answer in time, or none at all.
  SIGNET_ERROR_TIMEOUT = 8
};

/// A text: UTF-8, without an end.
typedef struct signet_text {
  const char *bytes;
  size_t count;
} signet_text;

/// What a value is.
enum {
  SIGNET_NONE = 0,
  SIGNET_BOOLEAN = 1,
  SIGNET_INTEGER = 2,
  SIGNET_NUMBER = 3,
  SIGNET_TEXT = 4,
  SIGNET_DATA = 5,
  /// A value that C cannot look into: it can be passed on, or back.
  SIGNET_OPAQUE = 6
};

/// A value. What cannot be told in C is SIGNET_OPAQUE.
typedef struct signet_value {
  /// SIGNET_BOOLEAN and so on: which field counts.
  uint32_t kind;
  uint32_t reserved;
  union {
    /// 0 or 1.
    uint64_t boolean;
    int64_t integer;
    double number;
    /// SIGNET_TEXT: UTF-8. SIGNET_DATA: any bytes.
    signet_text text;
    /// The host's; valid as long as the value is.
    const void *opaque;
  } as;
} signet_value;

/// A value with a name.
typedef struct signet_named_value {
  signet_text name;
  signet_value value;
} signet_named_value;

/// What a host knows of the module that a table was given to.
typedef struct signet_context signet_context;
/// What was opened or called; valid until the handler returns.
typedef struct signet_request signet_request;
/// What a handler answers with, as long as it likes. Answering twice, or never, does no harm.
typedef uint64_t signet_reply;
/// An observer that can be removed.
typedef uint64_t signet_token;

/// Called when a URL is opened, or an action called. It answers by `reply` or `fail` of the host, now or later.
typedef void (*signet_handler)(void *user, const signet_request *request, signet_reply reply);
/// Called for an event or notification.
typedef void (*signet_observer)(void *user, signet_text name, const signet_named_value *values, size_t count);
/// Told what came of opening or calling, exactly once: SIGNET_OK and a value, or why not and a text that says so. Never when
/// `open` or `perform` itself returns anything but SIGNET_OK.
typedef void (*signet_completion)(void *user, int32_t status, const signet_value *value);
/// Called once, when the host lets go of a handler, also of one that it did not take: what `user` points to can go, too.
typedef void (*signet_release)(void *user);

/// What the host offers.
typedef struct signet_host {
  /// Bytes of this structure.
  uint32_t size;
  /// SIGNET_PLUGIN_VERSION.
  uint32_t version;
  /// Whose table this is: the first argument of all functions.
  signet_context *context;
  /// The host's PluginKit, by which a plugin in Swift finds that it has another.
  const void *plugin_kit;

  /// Registers a route; `allows_fallback` is 0 or 1.
  int32_t (*register_route)(
      signet_context *context, signet_text pattern, int64_t priority, uint32_t allows_fallback,
      signet_handler handler, void *user, signet_release release);
  /// Registers an action of a target; `is_local` is 0 or 1. The first action of a target registers the target.
  int32_t (*register_action)(
      signet_context *context, signet_text target, signet_text action, uint32_t is_local,
      signet_handler handler, void *user, signet_release release);
  /// Provides a service under a name: a table of functions, say, that both sides have a header for.
  int32_t (*provide_service)(signet_context *context, signet_text name, const void *service);
  /// The service of a name that `provide_service` was called with; null when there is none.
  const void *(*find_service)(signet_context *context, signet_text name);
  /// Observes an event of the application's life (is_event 1), or a notification (0). The token may be null: then the
  /// observation ends with the module.
  int32_t (*observe)(
      signet_context *context, signet_text name, uint32_t is_event, signet_observer observer, void *user,
      signet_release release, signet_token *token);
  /// Ends an observation.
  void (*stop_observing)(signet_context *context, signet_token token);
  /// Posts a notification. SIGNET_ERROR_FAILED when too many calls are within each other: then nobody hears of it.
  int32_t (*post)(signet_context *context, signet_text name, const signet_named_value *values, size_t count);
  /// Opens a URL, without waiting for a handler that answers later. `completion` may be null.
  int32_t (*open)(
      signet_context *context, signet_text url, const signet_named_value *values, size_t count,
      signet_completion completion, void *user);
  /// Calls an action of a target, and returns when it has answered, or after ten seconds. `completion` may be null.
  int32_t (*perform)(
      signet_context *context, signet_text target, signet_text action, const signet_named_value *values,
      size_t count, signet_completion completion, void *user);
  /// 1 when opening the URL would run a handler.
  int32_t (*can_open)(signet_context *context, signet_text url);

  /// A resource of the module: SIGNET_DATA with the bytes that were signed, or why there is none, before it returns.
  int32_t (*resource)(signet_context *context, signet_text path, signet_completion completion, void *user);

  /// The URL of a request; empty when it is a call of code.
  signet_text (*request_url)(const signet_request *request);
  /// A value of a request by its name: given along by the caller, else of the path, else of the query.
  signet_value (*request_value)(const signet_request *request, signet_text name);
  /// A value that code gave along, by its name: never one of the URL, which may come from anywhere.
  signet_value (*request_given)(const signet_request *request, signet_text name);
  /// Answers; `value` may be null. 1 when the answer counts, 0 when there was one.
  int32_t (*reply)(signet_context *context, signet_reply reply, const signet_value *value);
  /// Answers that it cannot be done, and why. 1 when the answer counts.
  int32_t (*fail)(signet_context *context, signet_reply reply, signet_text message);
} signet_host;

/// What a plugin offers. The host makes it, with its size and version and everything else zero.
typedef struct signet_plugin {
  /// Bytes of this structure that there are; the plugin lowers it to those that it knows.
  uint32_t size;
  /// SIGNET_PLUGIN_VERSION; the plugin writes its own.
  uint32_t version;
  /// The plugin's, passed to its functions.
  void *user;
  /// Called once, after the plugin was loaded: it registers now. Not null.
  int32_t (*did_load)(void *user, const signet_host *host);
} signet_plugin;

/// The principal.
typedef int32_t (*signet_principal)(const signet_host *host, signet_plugin *plugin);

/// A text of a string with a zero at its end.
static inline signet_text signet_text_of(const char *string) {
  signet_text text = {string, 0};
  while (string != NULL && string[text.count] != 0) { text.count += 1; }
  return text;
}

/// Whether the host is one that a plugin that was built with this header can use.
static inline int signet_host_fits(const signet_host *host) {
  return host != NULL && host->size >= sizeof(signet_host) && host->version == SIGNET_PLUGIN_VERSION;
}

#ifdef __cplusplus
}
#endif

#endif
