import Foundation
import TestSupport

#if os(Linux)
  /// The action of Integrations/github, run as GitHub's runner runs it.
  struct CompositeAction {
    struct Step {
      let id: String
      let condition: String?
      let variables: [(name: String, value: String)]
      let script: String
    }

    /// What a run did.
    struct Run {
      /// The status of the step that failed; 0 if none did.
      let status: Int32
      /// The outputs of the action.
      let outputs: [String: String]
      /// What was written.
      let output: WorkflowOutput
      /// The summary of the run.
      let summary: String
    }

    struct Fault: Error {
      let message: String

      init(_ message: String) { self.message = message }
    }

    /// The inputs, with the value that each has if none is given.
    let inputs: [(name: String, value: String)]
    let outputs: [(name: String, value: String)]
    let steps: [Step]

    init() throws {
      let action = try PlainYAML(Repository.text("Integrations/github/action.yml"))
      func texts(_ value: PlainYAML?, _ field: String) throws -> [(name: String, value: String)] {
        try (value?.entries ?? []).map { entry in
          guard let text = entry.value[field]?.text else { throw Fault("\(entry.key) has no \(field)") }
          return (name: entry.key, value: text)
        }
      }
      inputs = try texts(action["inputs"], "default")
      outputs = try texts(action["outputs"], "value")
      steps = try (action["runs"]?["steps"]?.items ?? []).map { step in
        guard let id = step["id"]?.text, let script = step["run"]?.text, step["shell"] == .text("bash") else {
          throw Fault("a step has no id or no script, or it is not for bash")
        }
        let known = ["env", "id", "if", "name", "run", "shell"]
        guard step.entries.allSatisfy({ known.contains($0.key) }) else { throw Fault("\(id) has an unknown field") }
        let variables = (step["env"]?.entries ?? []).map { (name: $0.key, value: $0.value.text ?? "") }
        return Step(id: id, condition: step["if"]?.text, variables: variables, script: script)
      }
    }

    /// Runs the steps until one fails.
    ///
    /// - Parameters:
    ///   - given: the inputs that the workflow gives.
    ///   - folder: the workspace.
    ///   - variables: variables of the job.
    ///   - search: where programs are; nil for where this process looks.
    func run(
      _ given: [String: String], in folder: TemporaryFolder, variables: [String: String] = [:], search: String? = nil
    ) throws -> Run {
      guard given.keys.allSatisfy({ name in inputs.contains { $0.name == name } }) else {
        throw Fault("an input is unknown")
      }
      let values = Dictionary(uniqueKeysWithValues: inputs.map { ($0.name, given[$0.name] ?? $0.value) })
      let own = try TemporaryFolder()
      try own.write("summary", [])
      var results: [String: String] = [:]
      var log = ""
      var status: Int32 = 0
      func value(_ expression: String) throws -> String {
        if let match = expression.wholeMatch(of: /\$\{\{ inputs\.([a-z0-9-]+) \}\}/) {
          guard let value = values[String(match.1)] else { throw Fault("there is no input \(match.1)") }
          return value
        }
        guard let match = expression.wholeMatch(of: /\$\{\{ steps\.([a-z]+)\.outputs\.([a-z]+) \}\}/) else {
          throw Fault("this is no expression: \(expression)")
        }
        return results["\(match.1).\(match.2)"] ?? ""
      }
      for step in steps where status == 0 {
        if let condition = step.condition {
          guard let match = condition.wholeMatch(of: /inputs\.([a-z-]+) != ''/) else { throw Fault(condition) }
          if values[String(match.1)] == "" { continue }
        }
        try own.write("output", [])
        let script = try own.write("script.sh", Array(step.script.utf8))
        var environment = [
          "RUNNER_TEMP": own.path, "GITHUB_OUTPUT": own.file("output"), "GITHUB_STEP_SUMMARY": own.file("summary"),
        ]
        environment.merge(variables) { $1 }
        for (name, expression) in step.variables { environment[name] = try value(expression) }
        let run = try Program.runAlone(
          "/bin/bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", script], in: folder.path,
          environment: environment, path: search)
        // The order of what comes through two streams is not known, so everything has to come through one.
        guard run.errors.isEmpty else { throw Fault("\(step.id) wrote to standard error: \(run.errors)") }
        log += run.output
        status = run.status
        for line in String(decoding: try own.read("output"), as: UTF8.self).split(separator: "\n") {
          guard let match = line.wholeMatch(of: /([a-z]+)=(.*)/) else { throw Fault("this is no output: \(line)") }
          results["\(step.id).\(match.1)"] = String(match.2)
        }
      }
      var outputs: [String: String] = [:]
      for output in self.outputs { outputs[output.name] = try value(output.value) }
      // The reports are gone with this run, so their names are what is left of them.
      outputs = outputs.mapValues { $0.hasPrefix(own.path) ? ($0 as NSString).lastPathComponent : $0 }
      return Run(
        status: status, outputs: outputs, output: WorkflowOutput(log),
        summary: String(decoding: try own.read("summary"), as: UTF8.self))
    }
  }
#endif
