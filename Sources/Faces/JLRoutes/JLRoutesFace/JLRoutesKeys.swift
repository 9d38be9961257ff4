// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the pattern of the route that matched, in a handler's parameters. It is a `String`.
public let JLRoutePatternKey = "JLRoutePattern"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the URL that was routed, in a handler's parameters. It is a `String`.
public let JLRouteURLKey = "JLRouteURL"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the scheme in which the route is registered, in a handler's parameters. It is a `String`.
public let JLRouteSchemeKey = "JLRouteScheme"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key of the parts of the path that a wildcard matched, in a handler's parameters. It is a `[String]`.
public let JLRouteWildcardComponentsKey = "JLRouteWildcardComponents"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// What stands for the scheme of routes for every scheme.
public let JLRoutesGlobalRoutesScheme = "JLRoutesGlobalRoutesScheme"
