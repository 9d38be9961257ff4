/// The page's side of the bridge.
enum SMWebScript {
  /// The script that a view runs at the beginning of each document.
  ///
  /// - Parameter post: an expression for a function that passes a text to the host.
  static func text(post: String) -> String {
    """
    (() => {
      "use strict";
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
      const _closing = () => {
        const result = typeof window._onclose === "function" ? window._onclose() : undefined;
        return JSON.stringify({ stays: stays(result), result: result == null ? null : String(result) });
      };
      Object.defineProperty(window, "Small", { value: Object.freeze({ invoke, _answer, _closing }) });
      window._onclose = () => {
        if (typeof window.onbeforeclose === "function") {
          const question = window.onbeforeclose();
          if (typeof question === "string" && !confirm(question)) return false;
        }
        return typeof window.onclose === "function" ? window.onclose() : undefined;
      };
      window._close = (ret) => { invoke("pop", { ret }); };
      window.close = () => {
        const result = window._onclose();
        if (!stays(result)) window._close(result);
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

  /// Asks the page whether it may be closed. The value is a text.
  static let closing = "Small._closing()"

  /// Answers a call of the page.
  static func answer(_ id: Int, _ value: SMWebValue) -> String { "Small._answer(\(id),true,\(value.json))" }

  /// Tells the page that a call failed.
  static func failure(_ id: Int, _ code: String, _ message: String) -> String {
    let error: SMWebValue = ["code": .text(code), "message": .text(message)]
    return "Small._answer(\(id),false,\(error.json))"
  }
}
