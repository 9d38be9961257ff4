// The layout that hosts and plugins of version 1 rely on, on every platform with pointers of eight bytes.
#include "signet_plugin.h"

_Static_assert(sizeof(void *) == 8, "the layout is that of 64 bits");
_Static_assert(sizeof(signet_text) == 16, "signet_text");
_Static_assert(sizeof(signet_value) == 24 && offsetof(signet_value, as) == 8, "signet_value");
_Static_assert(sizeof(signet_named_value) == 40, "signet_named_value");
_Static_assert(offsetof(signet_host, context) == 8, "signet_host.context");
_Static_assert(offsetof(signet_host, plugin_kit) == 16, "signet_host.plugin_kit");
_Static_assert(offsetof(signet_host, register_route) == 24, "signet_host.register_route");
_Static_assert(sizeof(signet_host) == 24 + 16 * 8, "signet_host");
_Static_assert(offsetof(signet_plugin, user) == 8, "signet_plugin.user");
_Static_assert(sizeof(signet_plugin) == 24, "signet_plugin");
