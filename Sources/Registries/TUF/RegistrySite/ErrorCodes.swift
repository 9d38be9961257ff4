package import SignetBase

extension SignetError.Code {
  /// The list of a site's own files is not one.
  package static let repoSiteList = Self("repo.site-list", .failure)
}
