// The layout that hosts and plugins of version 1 rely on, on every platform with pointers of eight bytes.
#include "signet_plugin.h"

_Static_assert(sizeof(void *) == 8, "the layout is that of 64 bits");
_Static_assert(sizeof(signet_text) == 16, "signet_text");
_Static_assert(sizeof(signet_value) == 24 && offsetof(signet_value, as) == 8, "signet_value");
_Static_assert(sizeof(signet_named_value) == 40, "signet_named_value");
_Static_assert(offsetof(signet_host, context) == 8, "signet_host.context");
_Static_assert(offsetof(signet_host, plugin_kit) == 16, "signet_host.plugin_kit");
_Static_assert(offsetof(signet_host, register_route) == 24 + 0 * 8, "signet_host.register_route");
_Static_assert(offsetof(signet_host, register_action) == 24 + 1 * 8, "signet_host.register_action");
_Static_assert(offsetof(signet_host, provide_service) == 24 + 2 * 8, "signet_host.provide_service");
_Static_assert(offsetof(signet_host, find_service) == 24 + 3 * 8, "signet_host.find_service");
_Static_assert(offsetof(signet_host, observe) == 24 + 4 * 8, "signet_host.observe");
_Static_assert(offsetof(signet_host, stop_observing) == 24 + 5 * 8, "signet_host.stop_observing");
_Static_assert(offsetof(signet_host, post) == 24 + 6 * 8, "signet_host.post");
_Static_assert(offsetof(signet_host, open) == 24 + 7 * 8, "signet_host.open");
_Static_assert(offsetof(signet_host, perform) == 24 + 8 * 8, "signet_host.perform");
_Static_assert(offsetof(signet_host, can_open) == 24 + 9 * 8, "signet_host.can_open");
_Static_assert(offsetof(signet_host, resource) == 24 + 10 * 8, "signet_host.resource");
_Static_assert(offsetof(signet_host, request_url) == 24 + 11 * 8, "signet_host.request_url");
_Static_assert(offsetof(signet_host, request_value) == 24 + 12 * 8, "signet_host.request_value");
_Static_assert(offsetof(signet_host, request_given) == 24 + 13 * 8, "signet_host.request_given");
_Static_assert(offsetof(signet_host, reply) == 24 + 14 * 8, "signet_host.reply");
_Static_assert(offsetof(signet_host, fail) == 24 + 15 * 8, "signet_host.fail");
_Static_assert(offsetof(signet_host, decline) == 24 + 16 * 8, "signet_host.decline");
_Static_assert(offsetof(signet_host, call) == 24 + 17 * 8, "signet_host.call");
_Static_assert(offsetof(signet_host, register_fallback) == 24 + 18 * 8, "signet_host.register_fallback");
_Static_assert(offsetof(signet_host, request_action) == 24 + 19 * 8, "signet_host.request_action");
_Static_assert(offsetof(signet_host, request_sender) == 24 + 20 * 8, "signet_host.request_sender");
_Static_assert(offsetof(signet_host, has_target) == 24 + 21 * 8, "signet_host.has_target");
_Static_assert(offsetof(signet_host, withdraw_service) == 24 + 22 * 8, "signet_host.withdraw_service");
_Static_assert(offsetof(signet_host, start_events) == 24 + 23 * 8, "signet_host.start_events");
_Static_assert(offsetof(signet_host, stop_events) == 24 + 24 * 8, "signet_host.stop_events");
_Static_assert(sizeof(signet_host) == 24 + 25 * 8, "signet_host");
_Static_assert(offsetof(signet_plugin, user) == 8, "signet_plugin.user");
_Static_assert(sizeof(signet_plugin) == 24, "signet_plugin");
