public import PluginKit

extension PluginError.Code {
  /// A launch file that does not have the shape of one.
  public static let launchFile = Self("launch.file")
  /// An entry of a launch file that means nothing.
  public static let launchEntry = Self("launch.entry")
  /// A launch file names a class or a service that no loaded module has.
  public static let launchNotLoaded = Self("launch.not-loaded")
  /// A setting that the class does not take, or of another type.
  public static let launchSetting = Self("launch.setting")
}
