extension FirstSigstoreRoot {
  /// The root of version 15 that `sigstore/root-signing` publishes, without spaces.
  static let publicGood = #"""
    {"signatures":[{"keyid":"e71a54d543835ba86adad9460379c7641fb8726d164ea766801a1c522aba7ea2","sig":"3045022100ea2f\#
    374f409810e2db950749d9cfed09a15b6a5e25f3d5ffd0799459d7bee167022028d3acdde6dbd5034cfad222d31b41090ee21894e2c46cb8\#
    974198ab0377db44"},{"keyid":"22f4caec6d8e6f9555af66b3d4c3cb06a3bb23fdc7e39c916c61f462e6f52b06","sig":"304402207e\#
    bb24e3237e470691d7875903a7754d0ef2ae7e7b5024a7888c9a38a52deecd02206ed5ad1c6f4fab46995843ab6b23f9420c5a4cf6ce1cb2\#
    cb2a6fc2e87e2ef3e1"},{"keyid":"61643838125b440b40db6942f5cb5a31c0dc04368316eb2aaa58b95904a58222","sig":"30460221\#
    0089d9dfd8e106cc958088a4da3c8cf7254ab6f65a9647d37ada730ef4763c5163022100d882ee744615be79861e214e1eeb9e1eddf6a1e2\#
    03a201b4c5d03f5224d71d16"},{"keyid":"a687e5bf4fab82b0ee58d46e05c9535145a2c9afb458f43d42b45ca0fdce2a70","sig":"30\#
    4502210088bd4b88e83f586ce568d27d04214c4ab3fd1894178ef015303d56afa939205302205538ebab93876abb9075ad77114bff28a0d7\#
    9a7cc229b534a0c5ced5526b48e7"},{"keyid":"183e64f37670dc13ca0d28995a3053f3740954ddce44321a41e46534cf44e632","sig"\#
    :"3045022100f35b07e938d4949caf82e69e86cc9db3b69b6dbc6740c1f343d06893f996fbeb022001e847d816259a96a49e42779a2350da\#
    b97b71c8ae7e26b2380c6fa7f58131b3"}],"signed":{"_type":"root","consistent_snapshot":true,"expires":"2026-11-20T13\#
    :58:18Z","keys":{"0c87432c3bf09fd99189fdc32fa5eaedf4e4a5fac7bab73fa04a2e0fc64af6f5":{"keyid_hash_algorithms":["s\#
    ha256","sha512"],"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DA\#
    QcDQgAEWRiGr5+j+3J5SsH+Ztr5nE2H2wO7\nBV+nO3s93gLca18qTOzHY1oWyAGDykMSsGTUBSt9D+An0KfKsD2mfSM42Q==\n-----END PUBL\#
    IC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-online-uri":"gcpkms:projects/sigstore-root-signing/l\#
    ocations/global/keyRings/root/cryptoKeys/timestamp/cryptoKeyVersions/1"},"183e64f37670dc13ca0d28995a3053f3740954\#
    ddce44321a41e46534cf44e632":{"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CA\#
    QYIKoZIzj0DAQcDQgAEMxpPOJCIZ5otG4106fGJseEQi3V9\npkMYQ4uyV9Tj1M7WHXIyLG+jkfvuG0glQ1JZbRZZBV3gAR4sojdGHISeow==\n-\#
    ----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-keyowner":"@lance"},"22f4caec6d8e6f9555a\#
    f66b3d4c3cb06a3bb23fdc7e39c916c61f462e6f52b06":{"keyid_hash_algorithms":["sha256","sha512"],"keytype":"ecdsa","k\#
    eyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzBzVOmHCPojMVLSI364WiiV8NPrD\n\#
    6IgRxVliskz/v+y3JER5mcVGcONliDcWMC5J2lfHmjPNPhb4H7xm8LzfSA==\n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-\#
    nistp256","x-tuf-on-ci-keyowner":"@santiagotorres"},"61643838125b440b40db6942f5cb5a31c0dc04368316eb2aaa58b95904a\#
    58222":{"keyid_hash_algorithms":["sha256","sha512"],"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY-\#
    ----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEinikSsAQmYkNeH5eYq/CnIzLaacO\nxlSaawQDOwqKy/tCqxq5xxPSJc21K4WIhs9GyOkK\#
    fzueY3GILzcMJZ4cWw==\n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-keyowner":"@bobca\#
    llaway"},"a687e5bf4fab82b0ee58d46e05c9535145a2c9afb458f43d42b45ca0fdce2a70":{"keyid_hash_algorithms":["sha256","\#
    sha512"],"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE0\#
    ghrh92Lw1Yr3idGV5WqCtMDB8Cx\n+D8hdC4w2ZLNIplVRoVGLskYa3gheMyOjiJ8kPi15aQ2//7P+oj7UvJPGw==\n-----END PUBLIC KEY--\#
    ---\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-keyowner":"@joshuagl"},"e71a54d543835ba86adad9460379c7641fb8\#
    726d164ea766801a1c522aba7ea2":{"keyid_hash_algorithms":["sha256","sha512"],"keytype":"ecdsa","keyval":{"public":\#
    "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEXsz3SZXFb8jMV42j6pJlyjbjR8K\nN3Bwocexq6LMIb5qs\#
    WKOQvLN16NUefLc4HswOoumRsVVaajSpQS6fobkRw==\n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-\#
    on-ci-keyowner":"@mnm678"}},"roles":{"root":{"keyids":["e71a54d543835ba86adad9460379c7641fb8726d164ea766801a1c52\#
    2aba7ea2","22f4caec6d8e6f9555af66b3d4c3cb06a3bb23fdc7e39c916c61f462e6f52b06","61643838125b440b40db6942f5cb5a31c0\#
    dc04368316eb2aaa58b95904a58222","a687e5bf4fab82b0ee58d46e05c9535145a2c9afb458f43d42b45ca0fdce2a70","183e64f37670\#
    dc13ca0d28995a3053f3740954ddce44321a41e46534cf44e632"],"threshold":3},"snapshot":{"keyids":["0c87432c3bf09fd9918\#
    9fdc32fa5eaedf4e4a5fac7bab73fa04a2e0fc64af6f5"],"threshold":1,"x-tuf-on-ci-expiry-period":3650,"x-tuf-on-ci-sign\#
    ing-period":365},"targets":{"keyids":["e71a54d543835ba86adad9460379c7641fb8726d164ea766801a1c522aba7ea2","22f4ca\#
    ec6d8e6f9555af66b3d4c3cb06a3bb23fdc7e39c916c61f462e6f52b06","61643838125b440b40db6942f5cb5a31c0dc04368316eb2aaa5\#
    8b95904a58222","a687e5bf4fab82b0ee58d46e05c9535145a2c9afb458f43d42b45ca0fdce2a70","183e64f37670dc13ca0d28995a305\#
    3f3740954ddce44321a41e46534cf44e632"],"threshold":3},"timestamp":{"keyids":["0c87432c3bf09fd99189fdc32fa5eaedf4e\#
    4a5fac7bab73fa04a2e0fc64af6f5"],"threshold":1,"x-tuf-on-ci-expiry-period":7,"x-tuf-on-ci-signing-period":6}},"sp\#
    ec_version":"1.0","version":15,"x-tuf-on-ci-expiry-period":197,"x-tuf-on-ci-signing-period":46}}
    """#

  /// The root of version 3 of GitHub's instance, as its command-line program `gh` has it, without spaces.
  static let gitHub = #"""
    {"signatures":[{"keyid":"a10513a5ab61acd0c6b6fbe0504856ead18f3b17c4fabbe3fa848c79a5a187cf","sig":"3046022100ca34\#
    1d3ba2ef7657d69c2825729959681f55aec497b612e81a547e2abb616b49022100cd605b412a3d991f92e0818e07e60383bbd23904723eec\#
    221d6e39fdfeae3104"},{"keyid":"5e01c9a0b2641a8965a4a74e7df0bc7b2d8278a2c3ca0cf7a3f2f783d3c69800","sig":"30460221\#
    00d0f70effe60d6a18319e2890088cd01d45c654ee6d2ce1d5c3cdcf2dc7f637570221008f947a2d7334d948f1c4794b0a465f1dfb99a578\#
    dd8d1f4563cee0581f457db2"},{"keyid":"54809115b40137aac01af4b7ac2408c77ea0d58fa4dad48fc3196497d2a26f44","sig":"30\#
    4502201ae931db1c48020fb37af54d446ac856306f619dfc3f93ddcff70d2880e443dc022100992b70451aa74805adef24e85ec352e59881\#
    2267f623979bd4ce719b66b62d22"},{"keyid":"88737ccdac7b49cc237e9aaead81be2a40278b886a693d8149a19cf543f093d3","sig"\#
    :"3045022023bba8e14c177609f43873aa0087ef983ddd2bad9a0a832c0cf279e1be8798f2022100facfaecc1d7ee793042eaaa6970fb9ca\#
    700c3bdbf4ee43ed0f8d0fc3aef96563"},{"keyid":"d6a89e23fb22801a0d1186bf1bdd007e228f65a8aa9964d24d06cb5fbb0ce91c","\#
    sig":"3046022100d2f6cceb05d135ce6a6ce7fe1dc76c24508154ad71c433028e64ca95ba716ffb022100f0592d60eb67508dd5f9cc593a\#
    4cca33bbaf94882c3d74a560fda845a456c6cc"},{"keyid":"8b498a80a1b7af188c10c9abdf6aade81d14faaffcde2abcd6063baa673eb\#
    d12","sig":"30450221009af2f0c534ed92de909a3b727f7101319c18e10623de8f48a0eba980d3d54d830220095842b16c58567c71f9df\#
    a0b54e79daca1b2fecf3cb2ea4ee6d8393bdf93294"}],"signed":{"_type":"root","consistent_snapshot":true,"expires":"202\#
    5-04-11T14:36:57Z","keys":{"4f4d1dd75f2d7f3860e3a068d7bed90dec5f0faafcbe1ace7fb7d95d29e07228":{"keytype":"ecdsa"\#
    ,"keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAENki7aZVips5SgRzCd/Om0CGzQKY\#
    /\nnv84giqVDmdwb2ys82Z6soFLasvYYEEQcwqaC170n9gr93wHUgPc796uJA==\n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sh\#
    a2-nistp256","x-tuf-on-ci-keyowner":"@ashtom"},"539dde44014c850fe6eeb8b299eb7dae2e1f4bf83454b949e98aa73542cdc65a\#
    ":{"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAElD0o2sO\#
    ZN9n3RKQ7PtMLAoXj+2Ai\nn4PKT/pfnzDlNLrD3VTQwCc4sR4t+OLu4KQ+qk+kXkR9YuBsu3bdJZ1OWw==\n-----END PUBLIC KEY-----\n"\#
    },"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-keyowner":"@nerdneha"},"54809115b40137aac01af4b7ac2408c77ea0d58fa4\#
    dad48fc3196497d2a26f44":{"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIK\#
    oZIzj0DAQcDQgAEimKcdST+ORD+g0aGEFDOVZDAaIYg\nIgesNKiIe2L7MUsYx5UHhzQ08quvew13eYSCNJnfwooFZu7cdTu8AwqFjQ==\n-----\#
    END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-keyowner":"@alexiswales"},"88737ccdac7b49cc2\#
    37e9aaead81be2a40278b886a693d8149a19cf543f093d3":{"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY---\#
    --\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEBagkskNOpOTbetTX5CdnvMy+LiWn\nonRrNrqAHL4WgiebH7Uig7GLhC3bkeA/qgb926/vr9\#
    qhOPG9Buj2HatrPw==\n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-keyowner":"@gregose\#
    "},"8b498a80a1b7af188c10c9abdf6aade81d14faaffcde2abcd6063baa673ebd12":{"keytype":"ecdsa","keyval":{"public":"---\#
    --BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE7IEoVNwrprchXGhT5sAhSax7SOd3\n8duuISghCzfmHdKJWSbV2\#
    wJRamRiUVRtmA83K/qm5cT20WXMCT5QeM/D3A==\n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-c\#
    i-keyowner":"@trevrosen"},"a10513a5ab61acd0c6b6fbe0504856ead18f3b17c4fabbe3fa848c79a5a187cf":{"keytype":"ecdsa",\#
    "keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEC2wJ3xscyXxBLybJ9FVjwkyQMe53\#
    \nRHUz77AjMO8MzVaT8xw6ZvJqdNZiytYtigWULlINxw6frNsWJKb/f7lC8A==\n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha\#
    2-nistp256","x-tuf-on-ci-keyowner":"@kommendorkapten"},"d6a89e23fb22801a0d1186bf1bdd007e228f65a8aa9964d24d06cb5f\#
    bb0ce91c":{"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgA\#
    EDdORwcruW3gqAgaLjH/nNdGMB4kQ\nAvA+wD6DyO4P/wR8ee2ce83NZHq1ZADKhve0rlYKaKy3CqyQ5SmlZ36Zhw==\n-----END PUBLIC KEY\#
    -----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-keyowner":"@krukow"},"eb8eff37f93af2faaba519f341decec3cecd\#
    3eeafcace32966db9723842c8a62":{"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0\#
    CAQYIKoZIzj0DAQcDQgAENynVdQnM9h7xU71G7PiJpQaDemub\nkbjsjYwLlPJTQVuxQO8WeIpJf8MEh5rf01t2dDIuCsZ5gRx+QvDv0UzfsA==\#
    \n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-keyowner":"@mph4"},"eb9799b483affac9d\#
    a87ef4c9ea467928415c961349e607e5e6e485679b07f8f":{"keytype":"ecdsa","keyval":{"public":"-----BEGIN PUBLIC KEY---\#
    --\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAENKNcNcX+d73lS1TRFb9Vnp8JvOoh\nzYQ+in43iGenbG8RGo9L/6FJ2hoRbVU6xskvyuErcd\#
    PbCdI4GxrQ5i8hkw==\n-----END PUBLIC KEY-----\n"},"scheme":"ecdsa-sha2-nistp256","x-tuf-on-ci-online-uri":"azurek\#
    ms://production-tuf-root.vault.azure.net/keys/Online-Key/aaf375fd8ed24acb949a5cc173700b05"}},"roles":{"root":{"k\#
    eyids":["a10513a5ab61acd0c6b6fbe0504856ead18f3b17c4fabbe3fa848c79a5a187cf","4f4d1dd75f2d7f3860e3a068d7bed90dec5f\#
    0faafcbe1ace7fb7d95d29e07228","88737ccdac7b49cc237e9aaead81be2a40278b886a693d8149a19cf543f093d3","d6a89e23fb2280\#
    1a0d1186bf1bdd007e228f65a8aa9964d24d06cb5fbb0ce91c","eb8eff37f93af2faaba519f341decec3cecd3eeafcace32966db9723842\#
    c8a62","8b498a80a1b7af188c10c9abdf6aade81d14faaffcde2abcd6063baa673ebd12","539dde44014c850fe6eeb8b299eb7dae2e1f4\#
    bf83454b949e98aa73542cdc65a","54809115b40137aac01af4b7ac2408c77ea0d58fa4dad48fc3196497d2a26f44"],"threshold":3},\#
    "snapshot":{"keyids":["eb9799b483affac9da87ef4c9ea467928415c961349e607e5e6e485679b07f8f"],"threshold":1,"x-tuf-o\#
    n-ci-expiry-period":21,"x-tuf-on-ci-signing-period":7},"targets":{"keyids":["a10513a5ab61acd0c6b6fbe0504856ead18\#
    f3b17c4fabbe3fa848c79a5a187cf","4f4d1dd75f2d7f3860e3a068d7bed90dec5f0faafcbe1ace7fb7d95d29e07228","88737ccdac7b4\#
    9cc237e9aaead81be2a40278b886a693d8149a19cf543f093d3","d6a89e23fb22801a0d1186bf1bdd007e228f65a8aa9964d24d06cb5fbb\#
    0ce91c","eb8eff37f93af2faaba519f341decec3cecd3eeafcace32966db9723842c8a62","8b498a80a1b7af188c10c9abdf6aade81d14\#
    faaffcde2abcd6063baa673ebd12","539dde44014c850fe6eeb8b299eb7dae2e1f4bf83454b949e98aa73542cdc65a","54809115b40137\#
    aac01af4b7ac2408c77ea0d58fa4dad48fc3196497d2a26f44"],"threshold":3},"timestamp":{"keyids":["eb9799b483affac9da87\#
    ef4c9ea467928415c961349e607e5e6e485679b07f8f"],"threshold":1,"x-tuf-on-ci-expiry-period":7,"x-tuf-on-ci-signing-\#
    period":6}},"spec_version":"1.0.31","version":3,"x-tuf-on-ci-expiry-period":240,"x-tuf-on-ci-signing-period":60}\#
    }
    """#
}
