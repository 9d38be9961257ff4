internal import HTMLPages

/// The style sheet of a site: that of the gate's reports, and what the site has beside.
enum SiteStyle {
  /// The file's bytes.
  static var bytes: [UInt8] { Array((EmbeddedSource.style.text + added.text).utf8) }

  private static let added = EmbeddedSource(
    .style,
    """

    header.site { padding-top: 14px; }
    header.site nav a { padding: 0; color: var(--link); }
    main > h1 { padding-top: 14px; overflow-wrap: anywhere; }
    main > h1 + .muted, .lead { padding-top: 2px; }
    .lead { font-size: 15px; }
    .notice {
      margin-top: 10px; padding: 8px 12px; border-left: 3px solid var(--warning); border-radius: 0 6px 6px 0;
      background: var(--warning-tint);
    }
    .notice.bad { border-color: var(--bad); background: var(--bad-tint); }
    .facts { padding: 14px 0 4px; }
    .facts dd { column-gap: 5px; }
    section > .facts { padding-top: 0; }
    .facts.release { padding: 4px 0 0; gap: 4px 28px; }
    .version { margin-left: 8px; color: var(--muted); }
    .rows .badge { display: inline-block; padding: 0 8px; margin: 0 0 0 8px; }
    .rows > li code { font-size: 13px; }
    #results { margin-top: 14px; border: 1px solid var(--line); border-radius: 6px; }
    form .keys { flex-basis: 100%; font-size: 12.5px; }
    .empty { color: var(--muted); }
    .contents {
      display: flex; flex-wrap: wrap; gap: 0 22px; margin-top: 14px; border-bottom: 1px solid var(--line);
    }
    .pages { display: flex; flex-wrap: wrap; gap: 4px; padding-top: 14px; }
    .pages > * { min-width: 34px; padding: 4px 8px; border-radius: 6px; text-align: center; }
    .pages a { color: var(--link); background: var(--raised); }
    .texts { list-style: none; }
    .texts li { padding: 2px 0; overflow-wrap: anywhere; }
    section > h3, .texts + h3 { padding: 12px 0 2px; }
    .snippet {
      display: block; padding: 8px 12px; background: var(--raised); white-space: pre-wrap; user-select: all;
      border: 1px solid var(--line); border-radius: 6px; margin-bottom: 6px;
    }
    .key { overflow-wrap: anywhere; }
    .group > .differences { padding: 8px 14px 10px; }
    .group h3 { font-family: inherit; }
    .differences .added code { color: var(--good); }
    .differences .removed code { color: var(--bad); }
    .differences .changed code { color: var(--text); }

    """)
}
