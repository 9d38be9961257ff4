public import Dispatch

/// The queue for slow work at the start.
public enum PTLaunchQueue {
  /// A queue on which jobs run at the same time.
  public static let shared = DispatchQueue(label: "com.appLaunch.queue", attributes: .concurrent)
}
