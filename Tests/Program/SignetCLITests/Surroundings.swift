import Foundation
import TestSupport

/// What the tests find where they are run, and some of them need.
enum Surroundings {
  /// Whether a file system may be mounted where nobody else sees it.
  static let allowMounting: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? Shell.run("unshare -m mount -t tmpfs tmpfs .", in: folder.path))?.status == 0
  }()

  /// Whether a file system of two layers may be mounted where nobody else sees it.
  static let allowLayers: Bool = {
    let mount =
      "mount -t tmpfs tmpfs . && cd $PWD && mkdir l u w m && mount -t overlay -o lowerdir=l,upperdir=u,workdir=w o m"
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? Shell.run("unshare -m bash -c '\(mount)'", in: folder.path))?.status == 0
  }()
}
