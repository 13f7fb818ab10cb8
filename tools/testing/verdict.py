"""Whether a failed case is a failure for certain, or unsteady: it passes when it runs alone."""

import os

# Words in a log that prove a fault, however rare it is: those of the sanitizers.
LOG_PROOFS = ("Sanitizer", "runtime error:")

# Words that prove a fault if the message of a failed case has them: those of tests/e2e/session.cc and
# tests/e2e/compare.cc, and the keys of .info that count lost events.
MESSAGE_PROOFS = (
    "orca check finds faults",
    "the recording has a fault",
    "the recording and the program disagree",
    "events.dropped",
    "events.lost",
)


def read_log(failure):
    """Returns the text of the test.log of the failure, "" if there is none."""
    try:
        with open(os.path.join(failure.part, "test.log"), errors="replace") as log:
            return log.read()
    except OSError:
        return ""


def find_proof(failure, log):
    """Returns why the failure counts without another run, "" if only more runs can tell."""
    if failure.name == "":
        return failure.message
    proofs = [proof for proof in LOG_PROOFS if proof in log]
    proofs += [proof for proof in MESSAGE_PROOFS if proof in failure.message]
    return proofs[0] if proofs else ""


def is_unsteady(failure, log, rerun):
    """Returns whether the failure is unsteady. rerun(failure) runs the case alone; True if it passed each time."""
    return find_proof(failure, log) == "" and rerun(failure)
