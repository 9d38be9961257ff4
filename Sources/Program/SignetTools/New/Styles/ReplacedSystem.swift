internal import ArgumentParser
internal import SignetCLI

/// A system whose calls a new project can begin with.
enum ReplacedSystem: String, ExpressibleByArgument, CaseIterable {
  case ctmediator
  case hslink
  case jlroutes
  case mgjrouter
  case pacore
  case ptrouter
  case small
  case smallWeb = "small-web"

  var style: any ProjectStyle {
    switch self {
    case .ctmediator: CTMediatorStyle()
    case .hslink: HSLinkStyle()
    case .jlroutes: JLRoutesStyle()
    case .mgjrouter: MGJRouterStyle()
    case .pacore: PACoreStyle()
    case .ptrouter: PTRouterStyle()
    case .small: SmallStyle()
    case .smallWeb: SmallWebStyle()
    }
  }
}
