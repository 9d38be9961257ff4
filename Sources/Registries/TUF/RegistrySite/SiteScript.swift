internal import HTMLPages

/// The script of the search. The lists are complete without it.
enum SiteScript {
  /// It only reads the data and writes texts; it never writes markup.
  static let source = EmbeddedSource(
    .script,
    """
    (() => {
      "use strict";
      const shown = 50;
      const form = document.getElementById("filter");
      const box = form.elements.namedItem("text");
      const result = form.elements.namedItem("result");
      const list = document.getElementById("results");
      const sections = Array.from(document.querySelectorAll("main > section"));
      const modules = signetModules.map(([name, version, publisher, words, isWithdrawn, page]) =>
        ({name, version, publisher, isWithdrawn, page, owner: publisher.toLowerCase(), words: words.toLowerCase()}));

      // How well a module fits a word: lower is better, and 9 is not at all.
      function rank(module, word) {
        if (module.name === word) return 0;
        const place = module.name.indexOf(word);
        if (place >= 0) {
          const isStart = place === 0 || ".-".includes(module.name[place - 1]);
          const end = place + word.length;
          const isEnd = end === module.name.length || ".-".includes(module.name[end]);
          return isStart && isEnd ? (end === module.name.length ? 1 : 2) : isStart ? 3 : 4;
        }
        if (module.owner === word) return 5;
        if (module.owner.includes(word)) return 6;
        return module.words.includes(word) ? 7 : 9;
      }

      function search(text) {
        const words = text.toLowerCase().split(/\\s+/).filter(Boolean);
        const found = [];
        for (const module of modules) {
          let sum = module.isWithdrawn ? 0.5 : 0;
          for (const word of words) {
            const one = rank(module, word);
            sum = one === 9 ? Infinity : sum + one;
          }
          if (sum < Infinity) found.push({module, sum});
        }
        return found.sort((a, b) => a.sum - b.sum || a.module.name.length - b.module.name.length);
      }

      function add(parent, name, text, style) {
        const element = document.createElement(name);
        if (text) element.textContent = text;
        if (style) element.className = style;
        return parent.appendChild(element);
      }

      function apply() {
        const isSearching = box.value.trim() !== "";
        const found = isSearching ? search(box.value) : [];
        list.replaceChildren();
        for (const {module} of found.slice(0, shown)) {
          const row = add(add(list, "li"), "div");
          const link = add(row, "a");
          link.href = module.page;
          add(link, "code", module.name);
          add(row, "span", module.version, "version");
          if (module.isWithdrawn) add(row, "span", "withdrawn", "badge bad");
          add(row, "p", `by ${module.publisher}`, "muted");
        }
        list.hidden = found.length === 0;
        for (const section of sections) section.hidden = isSearching;
        const count = found.length.toLocaleString("en");
        result.value = !isSearching ? "" : found.length === 0 ? "No module fits." : found.length === 1 ? "1 module"
          : found.length > shown ? `${count} modules, of which ${shown} are shown` : `${count} modules`;
      }

      form.addEventListener("input", apply);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        list.querySelector("a")?.click();
      });
      document.addEventListener("keydown", (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
        if (event.key === "/" && document.activeElement !== box) {
          event.preventDefault();
          box.focus();
          box.select();
        } else if (event.key === "Escape" && document.activeElement === box) {
          box.value = "";
          apply();
        }
      });
      // A browser that goes back may fill the box again.
      addEventListener("pageshow", apply);
      form.hidden = false;
      apply();
    })();

    """)
}
