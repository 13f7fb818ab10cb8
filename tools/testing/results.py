"""What a `bazel test` found: reads its build events and the test.xml files that they name."""

import collections
import json
import os
import urllib.parse
import xml.etree.ElementTree

# A failed case. `name` is "" if the target failed without a failed case: it was not built, it crashed or it
# timed out; `message` then says which. `part` is the folder of the run's test.log, "" if there is none.
Failure = collections.namedtuple("Failure", "target name message part")

# All results of one command: (target, name) of each passed case, the failures, (target, reason) of each skipped
# case, and the name of Bazel's exit code.
Results = collections.namedtuple("Results", "passed failures skipped end")

GOOD = ("PASSED", "FLAKY")
NOT_BUILT = ("not built", "FAILED_TO_BUILD")


def read_cases(path):
    """Reads the cases of a test.xml. Returns [(name, message)] for each case that ran, with None if it passed, and
    the reason for each skipped case.

    A test.xml that Bazel wrote itself, because the program did not, has an <error> and no name of a case: its
    name is "". Returns empty lists if the file cannot be read.
    """
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return [], []
    cases, skipped = [], []
    for case in root.iter("testcase"):
        if case.get("status") == "notrun":
            continue
        if case.find("skipped") is not None:
            message = case.find("skipped").get("message") or ""
            skipped.append(message.split("\n", 1)[-1].strip())  # its first line is the place in the source
            continue
        name = ".".join(filter(None, [case.get("classname"), case.get("name")]))
        failures, error = case.findall("failure"), case.find("error")
        if error is not None:
            cases.append(("", error.get("message") or "failed"))
        elif failures:
            cases.append((name, "\n".join(failure.get("message") or failure.text or "" for failure in failures)))
        else:
            cases.append((name, None))
    return cases, skipped


def read_events(path):
    """Reads the build events.

    Returns {target: overall status}, {target: {part: (status, test.xml) of the last attempt}} with a part for
    each run and shard, and the name of Bazel's exit code.
    """
    status, files, end = {}, {}, "did not finish"
    if not os.path.exists(path):
        return status, files, "did not start"
    with open(path) as events:
        for line in events:
            try:
                event = json.loads(line)
            except ValueError:  # Bazel was killed while it wrote
                break
            kind, event_id = next(iter(event["id"].items()))
            if kind == "testSummary":
                status[event_id["label"]] = event.get("testSummary", {}).get("overallStatus") or "no status"
            elif kind == "testResult":
                part = event_id.get("run"), event_id.get("shard")
                result = event.get("testResult", {})
                for output in result.get("testActionOutput", []):
                    if output["name"] == "test.xml":
                        file = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
                        files.setdefault(event_id["label"], {})[part] = result.get("status"), file
            elif kind == "targetCompleted" and not event.get("completed", {}).get("success"):
                status.setdefault(event_id["label"], "not built")
            elif kind == "buildFinished":
                end = event["finished"]["exitCode"]["name"]
    return status, files, end


def read_results(path):
    """Returns the Results of the command whose --build_event_json_file was `path`."""
    status, files, end = read_events(path)
    passed, failures, skipped = [], [], []
    for target in sorted(status):
        failed = []
        for state, file in files.get(target, {}).values():
            part, bad = os.path.dirname(file), []
            cases, reasons = read_cases(file)
            skipped += [(target, reason) for reason in reasons]
            for name, message in cases:
                if message is None or state in GOOD:
                    passed.append((target, name))
                else:
                    bad.append(Failure(target, name, message, part))
            # The program may also have died after it wrote that all cases passed.
            if state not in GOOD and (not bad or state == "TIMEOUT"):
                bad.append(Failure(target, "", state or "no status", part))
            failed += bad
        if status[target] not in GOOD and not failed:
            failed.append(Failure(target, "", status[target], ""))
        failures += failed
    is_explained = failures and (end == "TESTS_FAILED" or any(f.message in NOT_BUILT for f in failures))
    if end not in ("SUCCESS", "NO_TESTS_FOUND") and not is_explained:
        failures.append(Failure("bazel test", "", end, ""))
    return Results(passed, failures, skipped, end)
