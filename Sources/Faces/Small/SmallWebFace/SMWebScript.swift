/// The page's side of the bridge.
enum SMWebScript {
  /// The script that a view runs at the beginning of each document.
  ///
  /// - Parameters:
  ///   - post: an expression for a function that passes a text to the host.
  ///   - hasCookies: whether the document has cookies.
  static func text(post: String, hasCookies: Bool) -> String {
    """
    (() => {
      "use strict";
      \(hasCookies ? "" : withoutCookies)
      const post = \(post);
      const calls = new Map();
      let count = 0;
      const send = (message) => post(JSON.stringify(message));
      const invoke = (method, parameters, callback) => {
        const id = ++count;
        const answer = new Promise((resolve, reject) => calls.set(id, { callback, resolve, reject }));
        answer.catch(() => {});
        try {
          send({ type: "invoke", id, method: String(method), parameters: parameters ?? {} });
        } catch (error) {
          calls.delete(id);
          throw error;
        }
        return answer;
      };
      const _answer = (id, isValue, value) => {
        const call = calls.get(id);
        if (!call) return;
        calls.delete(id);
        if (!isValue) return call.reject(Object.assign(new Error(value.message), { code: value.code }));
        call.resolve(value);
        if (typeof call.callback === "function") call.callback(value);
      };
      const stays = (result) => result === false || result === "false";
      const question = () => {
        const text = typeof window.onbeforeclose === "function" ? window.onbeforeclose() : undefined;
        return typeof text === "string" ? text : undefined;
      };
      const result = () => typeof window.onclose === "function" ? window.onclose() : undefined;
      const _closing = (isAgreed) => {
        const text = isAgreed ? undefined : question();
        if (text !== undefined) return JSON.stringify({ question: text });
        const value = result();
        return JSON.stringify({ stays: stays(value), result: value == null ? null : String(value) });
      };
      Object.defineProperty(window, "Small", { value: Object.freeze({ invoke, _answer, _closing }) });
      window._onclose = () => {
        const text = question();
        return text !== undefined && !confirm(text) ? false : result();
      };
      window._close = (ret) => { invoke("pop", { ret }); };
      window.close = () => {
        const finish = () => {
          const value = result();
          if (!stays(value)) window._close(value);
        };
        const text = question();
        if (text === undefined) return finish();
        invoke("confirm", { message: text, buttons: ["OK"] }, (index) => { if (index === 1) finish(); });
      };
      const ready = () => {
        const metas = {};
        for (const meta of document.head?.getElementsByTagName("meta") ?? []) {
          if (/^(left|center|right)-bar-item$/.test(meta.name)) metas[meta.name] = meta.content;
        }
        send({ type: "ready", title: document.title, metas });
      };
      if (document.readyState === "loading") addEventListener("DOMContentLoaded", ready); else ready();
    })();
    """
  }

  /// Browsers share cookies among hosts whose last two names are the same. The hosts of two modules can be so, and one of
  /// them could then give the other cookies.
  private static let withoutCookies = """
    Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
      Object.defineProperty(window, "cookieStore", { value: undefined });
    """

  /// Asks the page whether it may be closed. The value is a text.
  ///
  /// - Parameter isAgreed: whether the user agrees to the question that the page has first.
  static func closing(isAgreed: Bool) -> String { "Small._closing(\(isAgreed))" }

  /// Answers a call of the page.
  static func answer(_ id: Int, _ value: SMWebValue) -> String { "Small._answer(\(id),true,\(value.json))" }

  /// Tells the page that a call failed.
  static func failure(_ id: Int, _ code: String, _ message: String) -> String {
    let error: SMWebValue = ["code": .text(code), "message": .text(message)]
    return "Small._answer(\(id),false,\(error.json))"
  }
}
