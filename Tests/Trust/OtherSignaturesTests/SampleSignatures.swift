/// Signatures that other programs have made with keys that nothing else is signed with.
enum SampleSignatures {
  /// minisign 0.11: `minisign -S -t "release 1.2"`.
  static let minisign = """
    untrusted comment: signature from minisign secret key
    RUS6ObWyU6g7IecGKUJJp064OJvTxIGi1aj89Gm+jKsJOGWF5TpyRi2pR5fQroHbhNMzf6aXSt7nURn3SXDKXXFhGDfZ6dwd1QY=
    trusted comment: release 1.2
    F5A7hExCEbXLd8F40wzEbjo9aNnFElRyWbWqNRXg/8+Mtx4h2511fVedgPOsrj6xm9U8UFhsVAtYWAAImyfNAQ==

    """

  /// signify: `signify -S`.
  static let signify = """
    untrusted comment: verify with sg.pub
    RWSbUI+78m0iyGpuRotpGtDv60iIrprj0SbTgBkm1SAK2YC0zAKmVVFNPV/A1Tl/34b0j5U6motOHGcy6u9XZpyt3NvL+coblwg=

    """

  /// OpenSSH 9.2: `ssh-keygen -Y sign -n file`.
  static let ssh = """
    -----BEGIN SSH SIGNATURE-----
    U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgFbcULkhC6E9nFgh1ig5eUJg37q
    KbUTJucOk/3SRkFk0AAAAEZmlsZQAAAAAAAAAGc2hhNTEyAAAAUwAAAAtzc2gtZWQyNTUx
    OQAAAEDfsk7z7xQsk3w63fyOLxOU2O+NrpjS/v9Y7e27LczjFhZhDtkeu9WSf1BD+G1M1U
    0wEx8vTQdVRuNvzVt2TEIP
    -----END SSH SIGNATURE-----

    """

  /// GnuPG 2.2: `gpg --detach-sign --armor`.
  static let openPGP = """
    -----BEGIN PGP SIGNATURE-----

    iHUEABYIAB0WIQT+LC45Yv91n4IGVPeD/fHa3ekpwQUCawo1oQAKCRCD/fHa3ekp
    wRSXAQD7un3metCgIIPN4uxyziRvtILTJbDF/uMfZeAMjx4j0gD/Uku53FAahJtc
    F5F/25V1l4ZDrspfsNVduZB78qEF8QI=
    =eD89
    -----END PGP SIGNATURE-----

    """

  /// OpenSSL 3.0: `openssl cms -sign -outform PEM`, with a certificate of its own.
  static let cms = """
    -----BEGIN CMS-----
    MIIDNgYJKoZIhvcNAQcCoIIDJzCCAyMCAQExDTALBglghkgBZQMEAgEwCwYJKoZI
    hvcNAQcBoIIBfzCCAXswggEhoAMCAQICFHhZlZbdllb0mSlYmiHoQqX9x3+/MAoG
    CCqGSM49BAMCMBMxETAPBgNVBAMMCFNvbWVib2R5MB4XDTI2MTEyODAyMDAwMVoX
    DTM2MTEyNTAyMDAwMVowEzERMA8GA1UEAwwIU29tZWJvZHkwWTATBgcqhkjOPQIB
    BggqhkjOPQMBBwNCAATwnQ1wk8MMA2ogkcB35Q9eiSVxRdU40nrdng/fub6wlSvT
    byy03NuPNbiAq6ttxItaDmY3i+B5gAePLrgmzZSpo1MwUTAdBgNVHQ4EFgQUwOqY
    NFV90GwkvzGHIuPm30vuIj4wHwYDVR0jBBgwFoAUwOqYNFV90GwkvzGHIuPm30vu
    Ij4wDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiB4DN7T2b/kDMpm
    nzob9xjpwnGw7Yl47xSvG4rUad976gIhAJcNgy6/SYvF2fGoDlzLWSdxcBa3wk+d
    OmfLZ66lHTrpMYIBfTCCAXkCAQEwKzATMREwDwYDVQQDDAhTb21lYm9keQIUeFmV
    lt2WVvSZKViaIehCpf3Hf78wCwYJYIZIAWUDBAIBoIHkMBgGCSqGSIb3DQEJAzEL
    BgkqhkiG9w0BBwEwHAYJKoZIhvcNAQkFMQ8XDTI2MTEyODAyMDAwMVowLwYJKoZI
    hvcNAQkEMSIEIFiRtbUi1d8IbQ/wsRD72dIbtPxxY6800IKGouhG9r4DMHkGCSqG
    SIb3DQEJDzFsMGowCwYJYIZIAWUDBAEqMAsGCWCGSAFlAwQBFjALBglghkgBZQME
    AQIwCgYIKoZIhvcNAwcwDgYIKoZIhvcNAwICAgCAMA0GCCqGSIb3DQMCAgFAMAcG
    BSsOAwIHMA0GCCqGSIb3DQMCAgEoMAoGCCqGSM49BAMCBEcwRQIgPYOmlGhQJ+PH
    Zk2BWaUcNKIz4bjFrhYLGXQJi5xLFgUCIQCrA4DAzfwIqhbhut+QAw128Ky3qRNY
    ADsiP2i/lFxWEQ==
    -----END CMS-----

    """
}
