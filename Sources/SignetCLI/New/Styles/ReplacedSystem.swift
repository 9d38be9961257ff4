internal import ArgumentParser

/// A system whose calls a new project can begin with.
enum ReplacedSystem: String, ExpressibleByArgument, CaseIterable {
  case pacore

  var style: any ProjectStyle {
    switch self {
    case .pacore: PACoreStyle()
    }
  }
}
