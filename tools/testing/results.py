"""What a `bazel test` found: reads its build events and the test.xml files that they name."""

import collections
import json
import os
import urllib.parse
import xml.etree.ElementTree

# A failed case. `name` is "" if the target failed without a failed case: it was not built, it crashed or it
# timed out; `message` then says which. `part` is the folder of the run's test.log, "" if there is none.
Failure = collections.namedtuple("Failure", "target name message part")

# All results of one command: the names of the passed cases, the failures, and the name of Bazel's exit code.
Results = collections.namedtuple("Results", "passed failures end")

GOOD = ("PASSED", "FLAKY")


def read_cases(path):
    """Returns [(name, message)] for each case of a test.xml that was not skipped; message is None if it passed.

    A test.xml that Bazel wrote itself, because the program did not, has an <error> and no name of a case: its
    name is "". Returns an empty list if the file cannot be read.
    """
    try:
        root = xml.etree.ElementTree.parse(path).getroot()
    except (OSError, xml.etree.ElementTree.ParseError):
        return []
    cases = []
    for case in root.iter("testcase"):
        if case.get("status") == "notrun" or case.find("skipped") is not None:
            continue
        name = ".".join(filter(None, [case.get("classname"), case.get("name")]))
        failures, error = case.findall("failure"), case.find("error")
        if error is not None:
            cases.append(("", error.get("message") or "failed"))
        elif failures:
            cases.append((name, "\n".join(failure.get("message") or failure.text or "" for failure in failures)))
        else:
            cases.append((name, None))
    return cases


def read_events(path):
    """Reads the build events.

    Returns {target: overall status}, {target: {part: test.xml of the last attempt}} with a part for
    each run and shard, and the name of Bazel's exit code.
    """
    status, files, end = {}, {}, "did not finish"
    if not os.path.exists(path):
        return status, files, "did not start"
    with open(path) as events:
        for line in events:
            event = json.loads(line)
            kind, event_id = next(iter(event["id"].items()))
            if kind == "testSummary":
                status[event_id["label"]] = event["testSummary"].get("overallStatus")
            elif kind == "testResult":
                part = event_id.get("run"), event_id.get("shard")
                for output in event.get("testResult", {}).get("testActionOutput", []):
                    if output["name"] == "test.xml":
                        file = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
                        files.setdefault(event_id["label"], {})[part] = file
            elif kind == "targetCompleted" and not event.get("completed", {}).get("success"):
                status.setdefault(event_id["label"], "not built")
            elif kind == "buildFinished":
                end = event["finished"]["exitCode"]["name"]
    return status, files, end


def read_results(path):
    """Returns the Results of the command whose --build_event_json_file was `path`."""
    status, files, end = read_events(path)
    passed, failures = [], []
    for target in sorted(status):
        failed = []
        for file in files.get(target, {}).values():
            for name, message in read_cases(file):
                if message is None or status[target] in GOOD:
                    passed.append((target, name))
                else:
                    failed.append(Failure(target, name, message, os.path.dirname(file)))
        if status[target] not in GOOD and (not failed or status[target] == "TIMEOUT"):
            parts = [os.path.dirname(file) for file in files.get(target, {}).values()]
            failed.append(Failure(target, "", status[target], parts[0] if parts else ""))
        failures += failed
    if end not in ("SUCCESS", "NO_TESTS_FOUND") and not failures:
        failures.append(Failure("bazel test", "", end, ""))
    return Results(passed, failures, end)
