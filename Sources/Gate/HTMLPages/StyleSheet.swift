extension EmbeddedSource {
  /// How the page looks: light and dark, on screens from 320 pixels, and on paper.
  ///
  /// Text and its background have a contrast of at least 4.5 to 1 in each pair that is used (WCAG 2.2, 1.4.3).
  package static let style = EmbeddedSource(
    .style,
    """

    :root {
      color-scheme: light dark;
      --page: #ffffff; --raised: #f6f8fa; --line: #d4dae1; --text: #1f2328; --muted: #57606a; --link: #0a58ca;
      --good: #116329; --good-tint: #e3f5e8; --bad: #b42318; --bad-tint: #fdecea;
      --warning: #7a4d00; --warning-tint: #fcf1d8;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        --page: #0f1318; --raised: #171d24; --line: #353d47; --text: #e4e9ef; --muted: #9ca6b1; --link: #74b0ff;
        --good: #57c878; --good-tint: #12291a; --bad: #ff8a80; --bad-tint: #331817;
        --warning: #e6b84d; --warning-tint: #2d230d;
      }
    }

    *, ::before, ::after { box-sizing: border-box; }
    html { scroll-padding-top: 16px; -webkit-text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--page); color: var(--text); font: 14px/1.5 system-ui, sans-serif;
      overflow-wrap: anywhere;
    }
    .page { max-width: 1160px; margin: 0 auto; padding: 0 20px; }
    h1, h2, h3, h4, p, ul, ol, dl, dd { margin: 0; padding: 0; }
    h1 { font-size: 26px; line-height: 1.25; font-weight: 600; }
    h2 { font-size: 18px; font-weight: 600; margin-bottom: 10px; }
    h3, h4 { font-size: 14px; font-weight: 600; }
    code {
      font: 12.5px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
      unicode-bidi: isolate;
    }
    a { color: var(--link); text-decoration: none; }
    a:hover { text-decoration: underline; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 1px; border-radius: 3px; }
    [hidden] { display: none !important; }
    .muted, .help, .count, .where { color: var(--muted); }
    .unseen {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
    }
    .skip { position: absolute; left: -9999px; padding: 8px 12px; background: var(--page); }
    .skip:focus { left: 8px; top: 8px; z-index: 1; }

    .verdict { display: flex; gap: 16px; align-items: center; padding: 28px 0 16px; }
    .verdict p { font-size: 15px; }
    .verdict.good h1 { color: var(--good); }
    .verdict.bad h1 { color: var(--bad); }
    .seal {
      flex: none; width: 56px; height: 56px; border-radius: 50%; font-size: 30px; line-height: 56px;
      text-align: center; color: var(--page); font-weight: 700;
    }
    .good > .seal { background: var(--good); }
    .bad > .seal { background: var(--bad); }

    .counts { display: flex; flex-wrap: wrap; gap: 8px; list-style: none; }
    .counts li > * { display: block; padding: 5px 12px; color: inherit; }
    .counts li {
      border: 1px solid var(--line); border-radius: 6px; background: var(--raised); color: var(--muted);
    }
    .counts strong { font-size: 16px; margin-right: 3px; }
    .counts .good { color: var(--good); background: var(--good-tint); border-color: transparent; }
    .counts .bad { color: var(--bad); background: var(--bad-tint); border-color: transparent; }
    .counts .warning { color: var(--warning); background: var(--warning-tint); border-color: transparent; }

    .facts { display: flex; flex-wrap: wrap; gap: 10px 32px; padding: 18px 0; }
    .facts dt { color: var(--muted); font-size: 12px; }
    .facts dd { display: flex; flex-wrap: wrap; gap: 0 8px; align-items: baseline; }

    nav.page {
      display: flex; flex-wrap: wrap; gap: 0 22px; padding: 0; width: calc(100% - 40px); max-width: 1120px;
      border-bottom: 1px solid var(--line);
    }
    nav a { padding: 6px 0; color: var(--text); }
    nav .count {
      margin-left: 6px; padding: 0 7px; border-radius: 9px; background: var(--raised); font-size: 12px;
      border: 1px solid var(--line);
    }
    main { padding-bottom: 24px; }
    section { padding-top: 26px; }
    footer.page { padding: 16px 20px 32px; color: var(--muted); font-size: 12.5px; }

    form { display: flex; flex-wrap: wrap; gap: 8px 18px; align-items: center; padding-top: 16px; }
    label > span, legend { flex: none; white-space: nowrap; }
    form > label, fieldset { display: flex; gap: 8px; align-items: center; color: var(--muted); min-width: 0; }
    fieldset { border: 0; margin: 0; padding: 0; }
    fieldset label { display: flex; gap: 4px; align-items: center; color: var(--text); }
    legend { float: left; padding: 0; }
    input, select { font: inherit; color: var(--text); accent-color: var(--link); }
    input[type=search], select {
      background: var(--page); border: 1px solid var(--muted); border-radius: 6px; padding: 4px 8px; height: 32px;
      min-width: 0; max-width: 100%;
    }
    select { width: 100%; max-width: 260px; }
    form .wide { flex: 1 1 240px; }
    form .wide input { width: 100%; }
    output { flex-basis: 100%; color: var(--muted); font-size: 12.5px; }
    output:empty { display: none; }

    .grouping { color: var(--muted); font-weight: 400; font-size: 12.5px; margin-bottom: 6px; }
    #by-file .grouping { margin-top: 22px; }
    details.group { border: 1px solid var(--line); border-radius: 6px; margin-bottom: 8px; }
    summary { cursor: pointer; list-style: none; display: flex; gap: 8px; align-items: baseline; }
    summary::-webkit-details-marker { display: none; }
    summary::before {
      content: ""; flex: none; width: 6px; height: 6px; margin: 0 3px 2px 2px; transform: rotate(-45deg);
      border: solid var(--muted); border-width: 0 1.5px 1.5px 0;
    }
    details[open] > summary::before { transform: rotate(45deg); }
    .group > summary { padding: 8px 12px; background: var(--raised); border-radius: 6px; overflow: clip; }
    .group[open] > summary { border-bottom: 1px solid var(--line); border-radius: 6px 6px 0 0; }
    .group > summary > :is(h3, h4) { flex: 1; min-width: 0; }
    .group > summary > .count { flex: none; white-space: nowrap; }
    .title { font-weight: 400; }
    .help { padding: 10px 14px 4px 35px; max-width: 100ch; }
    .fold > summary, .quiet > summary { padding: 8px 12px; color: var(--link); }
    .group .fold { border-top: 1px solid var(--line); }
    .quiet > summary { padding-left: 0; color: var(--muted); }
    .rules { padding: 2px 0 8px 16px; }
    .rules dd { color: var(--muted); padding: 0 0 8px 22px; max-width: 90ch; }

    .mark { flex: none; display: inline-block; width: 15px; text-align: center; font-weight: 700; }
    .mark.good, .kind.good { color: var(--good); }
    .mark.bad, .kind.bad { color: var(--bad); }
    .mark.warning, .kind.warning { color: var(--warning); }
    .rows { list-style: none; }
    /* What is off the screen is not laid out: thousands of rows open at once. */
    .many > li { content-visibility: auto; contain-intrinsic-block-size: auto 80px; }
    .many > .group { content-visibility: auto; contain-intrinsic-block-size: auto 130px; }
    .fold .scroll { content-visibility: auto; contain-intrinsic-block-size: auto 9000px; }
    .fold .chain { content-visibility: auto; contain-intrinsic-block-size: auto 360px; }
    .rows > li { display: flex; gap: 8px; padding: 9px 14px 9px 12px; overflow: clip; }
    .message { font-weight: 500; }
    .message code { color: var(--muted); margin-left: 6px; font-weight: 400; }
    .rows > li + li, .rows + .rows > li:first-child { border-top: 1px solid var(--line); }
    .rows > li > div { flex: 1; min-width: 0; }
    section > h2 + p { padding-bottom: 8px; }
    section > .rows, section > .fold > .rows { border: 1px solid var(--line); border-radius: 6px; }
    .finding dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 12px; padding-top: 3px; }
    .finding dt { color: var(--muted); }
    .finding dd, .finding dd code { white-space: pre-wrap; }
    .finding .where { font-size: 13px; }
    .kind { flex: none; width: 82px; }
    .sign { display: inline-block; width: 15px; font-weight: 700; }
    .differences { list-style: none; color: var(--muted); }
    .differences code { white-space: pre-wrap; }

    .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; }
    .group .scroll { border: 0; }
    table { border-collapse: collapse; width: 100%; min-width: 940px; table-layout: fixed; }
    .group table { min-width: 700px; }
    .result { width: 100px; }
    .kind-column { width: 210px; }
    .signers { width: 290px; }
    th.number { width: 96px; }
    .digest { width: 130px; }
    th, td { text-align: left; vertical-align: top; padding: 7px 12px; font-weight: 400; }
    thead th { background: var(--raised); color: var(--muted); font-size: 12.5px; white-space: nowrap; }
    tbody tr { border-top: 1px solid var(--line); }
    tbody td, tbody th { overflow: clip; }
    tbody td:first-child { white-space: nowrap; }
    td:first-child .mark, .empty .mark, .rules .mark { margin-right: 4px; }
    td.number, th.number { text-align: right; }
    .number { white-space: nowrap; font-variant-numeric: tabular-nums; }
    .short {
      display: inline-block; max-width: 13ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
      vertical-align: bottom; user-select: all;
    }
    .short:hover { max-width: none; white-space: normal; }
    .signer .short { max-width: 19ch; }
    .signer + .signer { margin-top: 6px; }
    .badge {
      display: block; width: max-content; padding: 0 8px 0 3px; border-radius: 9px; font-size: 12px;
      margin-top: 3px;
    }
    .badge.bad { color: var(--bad); background: var(--bad-tint); }
    .badge.warning { color: var(--warning); background: var(--warning-tint); }
    tr:target, .chain:target { background: var(--raised); }

    .chains { display: grid; grid-template-columns: minmax(0, 1fr); gap: 16px; }
    .chain {
      display: grid; grid-template-columns: 320px minmax(0, 1fr); gap: 20px; padding: 16px;
      border: 1px solid var(--line); border-radius: 6px;
    }
    .chains + .fold, .chains + .chains { margin-top: 16px; }
    .scroll + .scroll { border-top: 0; }
    .facts dd, .names li, .words li { overflow-y: clip; }
    .names, .words { padding: 4px 0 6px 20px; }
    .picture { display: block; max-width: 100%; height: auto; }
    .picture rect { fill: var(--raised); stroke: var(--muted); }
    .picture line { stroke: var(--muted); stroke-width: 1.5; }
    .picture polygon { fill: var(--muted); }
    .picture text {
      font: 12px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: var(--text);
      white-space: pre;
    }
    .picture .role, .picture .validity { font: 12px system-ui, sans-serif; fill: var(--muted); }
    .picture .identity { fill: var(--link); }
    .picture .expired { font: 12px system-ui, sans-serif; fill: var(--bad); }

    @media screen and (max-width: 760px) {
      .page { padding: 0 14px; }
      nav.page { width: calc(100% - 28px); }
      footer.page { padding: 16px 14px 32px; }
      .chain { grid-template-columns: minmax(0, 1fr); padding: 10px; }
      .verdict { padding-top: 18px; }
      .seal { width: 44px; height: 44px; line-height: 44px; font-size: 24px; }
      h1 { font-size: 22px; }
      .help { padding-left: 14px; }
      .group > summary { flex-wrap: wrap; }
      .group > summary > :is(h3, h4) { flex: 1 1 60%; }
      .finding dl { grid-template-columns: minmax(0, 1fr); }
    }

    @media print {
      @page { margin: 14mm; }
      .page { max-width: none; padding: 0; }
      nav, form, .skip { display: none !important; }
      body { font-size: 10.5pt; }
      details::details-content { content-visibility: visible; display: block; block-size: auto; }
      summary::before { display: none; }
      .row, .chain, summary { break-inside: avoid; }
      h2, h3, h4, summary, thead, .help { break-after: avoid; }
      :focus-visible { outline: none; }
      .scroll, .rows > li, tbody td, tbody th { overflow: visible; }
      table, .group table { min-width: 0; font-size: 9pt; }
      th, td { padding: 4px 6px; }
      .badge { width: auto; }
      table code { font-size: 8pt; }
      .result { width: 12%; }
      .kind-column { width: 19%; }
      .signers { width: 25%; }
      th.number { width: 10%; }
      .digest { width: 15%; }
      .many > li, .many > .group, .fold .scroll, .fold .chain { content-visibility: visible; }
      .short { max-width: none; overflow: visible; white-space: normal; }
      .seal, .counts li { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    }

    """)
}
