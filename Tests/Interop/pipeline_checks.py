"""The action, the jobs and the examples for pipelines, and the schemas of GitHub's and GitLab's files

The schemas are those that check-jsonschema has with it. They say which keys there are and of what kind their values are, not what
an expression or a command does.
"""

import re
import subprocess
import sys
from pathlib import Path

from checks import expect
from workbench import Workbench

ROOT = Path(__file__).resolve().parents[2]
GITLAB = ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"]
WORKFLOW = ["--builtin-schema", "vendor.github-workflows"]
ACTION = ["--builtin-schema", "vendor.github-actions"]
# A file, what it is held against, and a change that the schema has to notice.
FILES = [
    ("Integrations/github/action.yml", ACTION, ("using: composite", "using: compost")),
    ("Integrations/gitlab/signet.gitlab-ci.yml", GITLAB, ("script:", "scripts:")),
]
EXAMPLES = {
    ".github/workflows/release.yml": (WORKFLOW, ("runs-on:", "runs-at:")),
    ".gitlab-ci.yml": (GITLAB, ("script:", "scripts:")),
}


def faults(path: Path, schema: list[str]) -> str:
    """What the schema does not allow; nothing if it allows the file."""
    run = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *schema, str(path)], capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 else run.stdout + run.stderr


def examples() -> dict[str, str]:
    """The examples of docs/pipelines.md that have the name of a file of a pipeline."""
    text = (ROOT / "docs/pipelines.md").read_text()
    return {name: body for name, body in re.findall(r"^```yaml (\S+)\n(.*?)^```$", text, re.M | re.S)}


def run(bench: Workbench) -> None:
    # The schema asks nothing of a hidden job, so each is held against it as a job.
    cases = [
        (name, re.sub(r"^\.", "", (ROOT / name).read_text(), flags=re.M), schema, change)
        for name, schema, change in FILES]
    written = examples()
    with bench.checks.check("docs/pipelines.md has an example for each"):
        expect("examples", set(written), set(EXAMPLES))
    cases += [(name, written[name], *EXAMPLES[name]) for name in EXAMPLES if name in written]
    folder = bench.folder("pipelines")
    for number, (name, text, schema, (before, after)) in enumerate(cases):
        path = folder / f"{number}.yml"
        path.write_text(text)
        with bench.checks.check(f"the schema allows {name}"):
            expect("faults", faults(path, schema), "")
        with bench.checks.check(f"the schema refuses {name} with a change"):
            expect("the text that is changed is there", before in text, True)
            path.write_text(text.replace(before, after))
            expect("refused", bool(faults(path, schema)), True)
