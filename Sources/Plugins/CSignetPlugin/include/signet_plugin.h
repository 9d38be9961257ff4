/// The entry of a plugin, for C, C++ and other languages that can call C. A plugin in C needs only this header.
///
/// A plugin is a shared library. The description of its module (module.json) names one symbol of it, the principal:
///
///     int32_t player_main(const signet_host *host, signet_plugin *plugin)
///
/// The host calls it once. The principal checks with `signet_host_fits` that it knows the host, fills in `plugin`, and
/// returns SIGNET_OK. Then the host calls `did_load`, in which the plugin registers its routes, targets, services and
/// observers.
///
/// Rules:
/// - Both structures begin with their size and version. A reader uses only the fields within the size, and refuses
///   another version. Fields are only ever added at the end. A change of a field's meaning is another version.
/// - Texts are UTF-8 with a length; they need no zero at the end. Texts and values that are passed to a function
///   belong to the caller, and live until the function returns. A function that keeps one makes a copy.
/// - Functions of the host may be called from any thread, and from within each other, up to 64 deep. Handlers of the
///   plugin are called on threads that the host has for them, several at once. Observers and `did_load` are called on
///   the caller's thread.
/// - A handler returns soon, and answers by then or later. A handler that does not return keeps one of sixteen threads
///   that the host has for the plugin; its caller goes on when the time is over.
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

/// The status that functions return: SIGNET_OK, or the reason for a failure.
enum {
  /// The function did what it is for.
  SIGNET_OK = 0,
  /// Host and plugin have no common version, or a structure is too small.
  SIGNET_ERROR_VERSION = 1,
  /// The plugin has its own copy of PluginKit instead of the host's.
  SIGNET_ERROR_NOT_SHARED = 2,
  /// The operation failed, for a reason without a status of its own.
  SIGNET_ERROR_FAILED = 3,
  /// An argument is not valid: it is not UTF-8, of an unknown kind, malformed, or a null pointer.
  SIGNET_ERROR_ARGUMENT = 4,
  /// The module's description does not declare what is registered, or the module was removed.
  SIGNET_ERROR_UNDECLARED = 5,
  /// Another route, target, action or service already has the place.
  SIGNET_ERROR_CONFLICT = 6,
  /// There is no such route, target, action or resource, or the URL belongs to a module that is refused.
  SIGNET_ERROR_NOT_FOUND = 7,
  /// The handler gave no answer in time, or none at all.
  SIGNET_ERROR_TIMEOUT = 8
};

/// A text in UTF-8, with its length and without a zero at the end.
typedef struct signet_text {
  /// The bytes of the text; may be null if the text is empty.
  const char *bytes;
  /// The number of bytes.
  size_t count;
} signet_text;

/// The kind of a value.
enum {
  /// No value.
  SIGNET_NONE = 0,
  /// True or false, in `boolean`.
  SIGNET_BOOLEAN = 1,
  /// A whole number, in `integer`.
  SIGNET_INTEGER = 2,
  /// A floating-point number, in `number`.
  SIGNET_NUMBER = 3,
  /// A text in UTF-8, in `text`.
  SIGNET_TEXT = 4,
  /// Any bytes, in `text`.
  SIGNET_DATA = 5,
  /// A value that C cannot look into, in `opaque`: it can be passed on, or back.
  SIGNET_OPAQUE = 6
};

/// A value of one of the kinds above. A value of Swift that C has no kind for is SIGNET_OPAQUE.
typedef struct signet_value {
  /// The kind: SIGNET_BOOLEAN and so on. It says which field of `as` counts.
  uint32_t kind;
  /// Not used; zero.
  uint32_t reserved;
  /// The content, in the field for the kind.
  union {
    /// SIGNET_BOOLEAN: 0 or 1.
    uint64_t boolean;
    /// SIGNET_INTEGER.
    int64_t integer;
    /// SIGNET_NUMBER.
    double number;
    /// SIGNET_TEXT: UTF-8. SIGNET_DATA: any bytes.
    signet_text text;
    /// SIGNET_OPAQUE: a pointer of the host, valid as long as the value is.
    const void *opaque;
  } as;
} signet_value;

/// A value with a name.
typedef struct signet_named_value {
  /// The name.
  signet_text name;
  /// The value.
  signet_value value;
} signet_named_value;

/// The host's context for one module, which the functions of its table take first.
typedef struct signet_context signet_context;
/// A request to a handler: the URL that was opened or the action that was called. It is valid until the handler
/// returns.
typedef struct signet_request signet_request;
/// The number of a reply, with which a handler answers now or later. Answering twice, or never, does no harm.
typedef uint64_t signet_reply;
/// The number of an observation, with which it can be ended.
typedef uint64_t signet_token;

/// A handler, called when a URL is opened or an action is called. It answers by `reply`, `fail` or `decline` of the
/// host, now or later.
typedef void (*signet_handler)(void *user, const signet_request *request, signet_reply reply);
/// An observer, called for an event or a notification with its name and values.
typedef void (*signet_observer)(void *user, signet_text name, const signet_named_value *values, size_t count);
/// A completion, called exactly once with the result: SIGNET_OK and a value, or another status and a text with the
/// reason. It is not called if `open`, `perform` or `resource` itself returns anything but SIGNET_OK.
typedef void (*signet_completion)(void *user, int32_t status, const signet_value *value);
/// A release function, called once when the host no longer uses a handler or an observer, also if it refused to
/// register it. Then `user` is no longer needed.
typedef void (*signet_release)(void *user);

/// The table of functions that the host offers to a module. Functions that return int32_t return a status, if nothing
/// else is said. A plugin that was built with a longer table than the host's is refused by `signet_host_fits`.
typedef struct signet_host {
  /// The size of this structure in bytes.
  uint32_t size;
  /// The host's SIGNET_PLUGIN_VERSION.
  uint32_t version;
  /// The context of the module that has this table: the first argument of all functions that take one.
  signet_context *context;
  /// The identity of the host's PluginKit. A plugin in Swift compares it with that of its own.
  const void *plugin_kit;

  /// Registers a route for the URLs that a pattern matches. Routes with a higher priority come first. With
  /// `allows_fallback` 1 instead of 0, the route also serves URLs below its pattern that no other route serves.
  int32_t (*register_route)(
      signet_context *context, signet_text pattern, int64_t priority, uint32_t allows_fallback,
      signet_handler handler, void *user, signet_release release);
  /// Registers an action of a target. With `is_local` 1 instead of 0, only code may call it, and URLs may not. The
  /// first action of a target registers the target.
  int32_t (*register_action)(
      signet_context *context, signet_text target, signet_text action, uint32_t is_local,
      signet_handler handler, void *user, signet_release release);
  /// Provides a service under a name: a pointer, for example to a table of functions that both sides have a header for.
  int32_t (*provide_service)(signet_context *context, signet_text name, const void *service);
  /// Returns the service that was provided under a name by `provide_service`, or null.
  const void *(*find_service)(signet_context *context, signet_text name);
  /// Observes an event of the application's life (`is_event` 1), or a notification (0). The number of the observation
  /// is written to `token`, which may be null: then the observation ends only with the module.
  int32_t (*observe)(
      signet_context *context, signet_text name, uint32_t is_event, signet_observer observer, void *user,
      signet_release release, signet_token *token);
  /// Ends an observation. A number that is not known, or has ended, does nothing.
  void (*stop_observing)(signet_context *context, signet_token token);
  /// Posts a notification, and returns when all observers have been called. With SIGNET_ERROR_FAILED, calls are
  /// nested too deep, and no observer was called.
  int32_t (*post)(signet_context *context, signet_text name, const signet_named_value *values, size_t count);
  /// Opens a URL, without waiting for a handler that answers later. `completion` may be null. After ten seconds without
  /// an answer it gets SIGNET_ERROR_TIMEOUT.
  int32_t (*open)(
      signet_context *context, signet_text url, const signet_named_value *values, size_t count,
      signet_completion completion, void *user);
  /// Calls an action of a target, and returns when it has answered. An action in C has ten seconds; an action in Swift
  /// runs on this thread, without a limit. `completion` may be null.
  int32_t (*perform)(
      signet_context *context, signet_text target, signet_text action, const signet_named_value *values,
      size_t count, signet_completion completion, void *user);
  /// Returns 1 if opening the URL would run a handler, else 0.
  int32_t (*can_open)(signet_context *context, signet_text url);

  /// Reads a resource of the module. Before this returns, `completion` gets SIGNET_DATA with the signed bytes, or the
  /// error.
  int32_t (*resource)(signet_context *context, signet_text path, signet_completion completion, void *user);

  /// Returns the URL of a request; empty for an action that code calls.
  signet_text (*request_url)(const signet_request *request);
  /// Returns a value of a request by its name: of the caller's values, else of the path, else of the query. It is
  /// SIGNET_NONE if the request has no such value.
  signet_value (*request_value)(const signet_request *request, signet_text name);
  /// Returns a value that the calling code passed, by its name: never one of the URL, which may come from anywhere.
  /// It is SIGNET_NONE if the code passed no such value.
  signet_value (*request_given)(const signet_request *request, signet_text name);
  /// Answers a request with a value, or null for none. Returns 1 if the answer counts, 0 if there was one already or
  /// nothing waits for it. A value that is not valid becomes a failure.
  int32_t (*reply)(signet_context *context, signet_reply reply, const signet_value *value);
  /// Answers a request with a failure and its reason. Returns 1 if the answer counts, else 0.
  int32_t (*fail)(signet_context *context, signet_reply reply, signet_text message);
  /// Declines a request: the next route that matches the URL is asked. For an action, this is a failure. Returns 1 if
  /// it counts, else 0.
  int32_t (*decline)(signet_context *context, signet_reply reply);

  /// Calls an action of a target, without waiting for one that answers later. `completion` gets the answer; after `limit`
  /// milliseconds it gets SIGNET_ERROR_TIMEOUT. A `limit` of 0 means ten seconds. An action that answers at once runs on
  /// this thread, and has no limit.
  int32_t (*call)(
      signet_context *context, signet_text target, signet_text action, const signet_named_value *values,
      size_t count, uint64_t limit, signet_completion completion, void *user);
  /// Registers the fallback of a target for actions that it does not have. A URL reaches it only by an action that the
  /// module's description declares; code reaches it by any action. The fallback registers the target, if nothing did
  /// before.
  int32_t (*register_fallback)(
      signet_context *context, signet_text target, signet_handler handler, void *user, signet_release release);
  /// Returns the name of the action that was called; empty for a request of a route.
  signet_text (*request_action)(const signet_request *request);
  /// Returns the identifier of the module that made the request; empty if it was the host. No module can pass for
  /// another one.
  signet_text (*request_sender)(const signet_request *request);
  /// Returns 1 if there is a target with this name, else 0. The answer is 0 for a target of a refused module.
  int32_t (*has_target)(signet_context *context, signet_text target);
  /// Withdraws a service that this module provides under a name. SIGNET_ERROR_NOT_FOUND: it provides none.
  int32_t (*withdraw_service)(signet_context *context, signet_text name);
  /// Starts turning notifications into the events of an application's life, if the host lets the module.
  int32_t (*start_events)(signet_context *context);
  /// Stops turning notifications into events, if the host lets the module.
  int32_t (*stop_events)(signet_context *context);
} signet_host;

/// The entry that a plugin fills in. The host makes it, with its size and version and everything else zero.
typedef struct signet_plugin {
  /// The size of this structure in bytes, as the host knows it; the plugin lowers it to the size that it knows.
  uint32_t size;
  /// The host's SIGNET_PLUGIN_VERSION; the plugin writes its own.
  uint32_t version;
  /// A pointer of the plugin, which is passed to its functions.
  void *user;
  /// The function in which the plugin registers, called once after it was loaded. It is not null. Any status but
  /// SIGNET_OK ends the loading of the module.
  int32_t (*did_load)(void *user, const signet_host *host);
} signet_plugin;

/// The principal of a plugin, which fills in `plugin`. Any status but SIGNET_OK ends the loading of the module.
typedef int32_t (*signet_principal)(const signet_host *host, signet_plugin *plugin);

/// Makes a text of a string with a zero at its end; an empty text of a null pointer.
static inline signet_text signet_text_of(const char *string) {
  signet_text text = {string, 0};
  while (string != NULL && string[text.count] != 0) { text.count += 1; }
  return text;
}

/// Returns 1 if a plugin that was built with this header can use the host, else 0.
static inline int signet_host_fits(const signet_host *host) {
  return host != NULL && host->size >= sizeof(signet_host) && host->version == SIGNET_PLUGIN_VERSION;
}

#ifdef __cplusplus
}
#endif

#endif
