"""Tests the case `hook` of tools/bench/run, with programs in place of the JVM and of `orca`."""

import argparse
import contextlib
import io
import pathlib
import runpy
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BENCH = runpy.run_path(str(ROOT / "tools/bench/run"), run_name="bench")

# Notes its arguments, and prints calls as bench.Hook does.
JAVA = '''#!/bin/bash
echo "$*" >>"$(dirname "$0")/commands"
echo "some line of an agent"
case $* in
  *profile=service*) printf 'unpark\\t80.0\\nnotifyAll\\t9.0\\n' ;;
  *-agentpath*) printf 'unpark\\t900.0\\nnotifyAll\\t1009.0\\n' ;;
  *) printf 'unpark\\t20.0\\nnotifyAll\\t9.0\\n' ;;
esac
'''


def make_runs(*nanos):
    return [BENCH["Run"](1, 1, 0, 0, {"unpark": each}) for each in nanos]


class HookTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write_program(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def measure_hooks(self, jdks, check="exit 0", **options):
        """Returns the output. `check` is a script in place of `orca`."""
        for jdk in jdks:
            self.write_program(self.folder / jdk / "bin/java", JAVA)
        self.write_program(self.folder / "orca", "#!/bin/bash\n" + check + "\n")
        homes = {jdk: self.folder / jdk for jdk in jdks}
        values = {"agent": [], "agent_options": "", "pairs": 3, "quick": True, **options}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            BENCH["measure_hooks"](argparse.Namespace(**values), homes, str(self.folder))
        return out.getvalue()

    def read_commands(self, jdk):
        return (self.folder / jdk / "bin/commands").read_text().splitlines()

    def test_a_table_has_a_row_for_each_call_and_jdk(self):
        table = self.measure_hooks(["17.0.1", "25.0.2"]).split("\n\n")[0].splitlines()
        self.assertEqual(table[0].split(), ["30", "frames,", "1", "thread", "JDK", "without", "A/A", "service", "defaults"])
        self.assertEqual([row.split()[:2] for row in table[1:]], [
            ["unpark", "17.0.1"], ["unpark", "25.0.2"], ["notifyAll", "17.0.1"], ["notifyAll", "25.0.2"]])
        self.assertEqual(table[1].split()[2:], [
            "20.0", "+0.0..+0.0", "+60", "(+60..+60)", "+880", "(+880..+880)"])
        self.assertEqual(table[3].split()[2:], [
            "9.0", "+0.0..+0.0", "+0.0", "(+0.0..+0.0)", "+1000", "(+1000..+1000)"])

    def test_each_round_runs_without_an_agent_and_with_each_set_of_options(self):
        self.measure_hooks(["17.0.1"], pairs=2)
        commands = self.read_commands("17.0.1")
        settings = BENCH["HOOK_QUICK_SETTINGS"]
        self.assertEqual(len(commands), len(settings) * (1 + 2 * 3))  # 1: the rehearsal
        service = [command for command in commands if "/orca,profile=service " in command]
        defaults = [command for command in commands if "/orca " in command]
        self.assertEqual(len(service), 2 * len(settings))
        self.assertEqual(len(defaults), 2 * len(settings))
        for command in commands:
            self.assertIn(" ".join(BENCH["HOOK_FLAGS"]), command)
        self.assertTrue(service[0].endswith("bench.Hook 30 1 5"), service[0])

    def test_another_agent_has_a_column(self):
        out = self.measure_hooks(["17.0.1"], agent=["ap=-agentpath:/opt/ap.so=%d"])
        self.assertEqual(out.splitlines()[0].split()[-3:], ["service", "defaults", "ap"])

    def test_a_table_says_that_events_were_dropped(self):
        self.assertNotIn("dropped", self.measure_hooks(["17.0.1"]))
        out = self.measure_hooks(["17.0.1"], check='echo "$2: 5 events, all right; events were dropped, so"')
        self.assertIn("\nJDK 17.0.1, service: events were dropped", out)

    def test_a_recording_with_faults_ends_the_measurement(self):
        with self.assertRaises(SystemExit) as end:
            self.measure_hooks(["17.0.1"], check="exit 1")
        self.assertIn("`orca check` found faults in the files of", str(end.exception))

    def test_a_row_has_medians_and_ranges(self):
        runs = {None: make_runs(10, 14, 11), "service": make_runs(70, 80, 65)}
        row = BENCH["format_hook_row"]("unpark", "17", runs)
        self.assertEqual(row.split(), ["unpark", "17", "11.0", "-3.0..+4.0", "+60", "(+54..+66)"])

    def test_what_noise_could_explain_is_marked(self):
        format_added = BENCH["format_added_nanos"]
        self.assertEqual(format_added([10, 14, 11], [16, 20, 17]), "~+6.0 (+6.0..+6.0)")
        self.assertEqual(format_added([10, 14, 11], [18, 22, 19]), "+8.0 (+8.0..+8.0)")

    def test_other_lines_of_the_output_are_no_calls(self):
        lines = ["17 frames\t3", "unpark 3.0", "unpark\t3.0\t4.0", "new Semaphore\t3.5", ""]
        self.assertEqual(BENCH["read_calls"](lines), {"new Semaphore": 3.5})


if __name__ == "__main__":
    unittest.main()
