internal import HTMLPages

extension EmbeddedSource {
  /// What the filter does. The page is complete without it.
  ///
  /// It only reads text and sets `hidden` and `open`; it never writes markup.
  static let script = EmbeddedSource(
    .script,
    """

    (() => {
      "use strict";
      const all = (selector) => Array.from(document.querySelectorAll(selector));
      const form = document.getElementById("filter");
      const field = (name) => form.elements.namedItem(name);
      const value = (name) => field(name)?.value ?? "";
      const groupings = {rule: document.getElementById("by-rule"), file: document.getElementById("by-file")};

      // A row is found by its own text and by that of the group it stands in, such as the rule's title.
      const rows = all(".row").map((element) => ({
        element,
        isFinding: element.classList.contains("finding"),
        isArtifact: element.closest("#artifacts") !== null,
        grouping: element.closest("#by-rule, #by-file"),
        level: element.dataset.level,
        rule: element.dataset.rule,
        group: element.closest("details.group")?.querySelector("summary"),
      }));
      const folds = all("details.group, details.fold").filter((fold) => fold.querySelector(".row"))
        .map((element) => ({element, wasOpen: element.open}));
      const textOf = (row) =>
        row.text ??= (row.element.textContent + " " + (row.group?.textContent ?? "")).toLowerCase();
      let isFiltering = false;

      function apply() {
        for (const [name, section] of Object.entries(groupings)) {
          if (section) section.hidden = value("group") !== name;
        }
        const text = value("text").trim().toLowerCase();
        const level = value("level");
        const rule = value("rule");
        const filters = text !== "" || level !== "" || rule !== "";
        if (filters && !isFiltering) for (const fold of folds) fold.wasOpen = fold.element.open;
        const used = new Set();
        const counts = {findings: 0, allFindings: 0, artifacts: 0, allArtifacts: 0};
        for (const row of rows) {
          const shows = (text === "" || textOf(row).includes(text))
            && (!row.isFinding || ((level === "" || row.level === level) && (rule === "" || row.rule === rule)));
          row.element.hidden = !shows;
          if (row.isFinding && !row.grouping.hidden) {
            counts.allFindings += 1;
            if (shows) counts.findings += 1;
          } else if (row.isArtifact) {
            counts.allArtifacts += 1;
            if (shows) counts.artifacts += 1;
          }
          if (!shows) continue;
          let fold = row.element.closest("details");
          while (fold && !used.has(fold)) {
            used.add(fold);
            fold = fold.parentElement.closest("details");
          }
        }
        for (const {element, wasOpen} of folds) {
          element.hidden = filters && !used.has(element);
          if (filters) element.open = used.has(element);
          else if (isFiltering) element.open = wasOpen;
        }
        isFiltering = filters;
        field("result").value = filters
          ? `Shown: ${counts.findings} of ${counts.allFindings} findings, `
            + `${counts.artifacts} of ${counts.allArtifacts} artifacts`
          : "";
      }

      // Shows the place that a link leads to, whatever hides it.
      function reveal(link) {
        const target = link.length > 1 ? document.getElementById(link.slice(1)) : null;
        if (!target) return;
        const grouping = target.closest("#by-rule, #by-file");
        if (target.closest("[hidden]") && isFiltering) {
          for (const name of ["text", "level", "rule"]) if (field(name)) field(name).value = "";
        }
        if (grouping) field("group").value = grouping === groupings.rule ? "rule" : "file";
        apply();
        for (let fold = target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
      }

      form.addEventListener("input", apply);
      form.addEventListener("submit", (event) => event.preventDefault());
      document.addEventListener("click", (event) => {
        const link = event.target.closest("a[href]");
        if (link) reveal(link.hash);
      });
      addEventListener("hashchange", () => reveal(location.hash));
      addEventListener("beforeprint", () => {
        for (const fold of all("details")) {
          fold.dataset.open = fold.open;
          fold.open = true;
        }
      });
      addEventListener("afterprint", () => {
        for (const fold of all("details")) fold.open = fold.dataset.open === "true";
      });
      form.hidden = false;
      apply();
      reveal(location.hash);
      if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
    })();

    """)
}
