import CTMediatorFace
import PluginKit

/// What the team of BusinessC gives to its callers. It depends on CTMediatorFace, and not on the module.
extension CTMediator {
  /// The page for a person; a placeholder if the module is absent, or gives something else.
  public func viewControllerC2(name: String, age: Int, touchBlock: @escaping @Sendable (String) -> Void) async -> Page
  {
    let params: CTParams = ["name": name, "age": age, "touchBlock": touchBlock]
    let page = await performTarget("BusinessC", action: "getViewControllerC_2", params: params)
    return page as? Page ?? Page("BusinessC is not here")
  }
}
