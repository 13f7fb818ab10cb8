#!/bin/bash
# The template of the rules in contention.bzl: runs a Java program under the agent, and compares the
# recordings with a file of budgets. The rules replace the words in braces.
#
# As a test: runs the program {runs} times, and checks. As long as only times are broken, it runs the program
# again, up to {retries} times. The arguments of the test come after those of the program. The outputs of
# the test are run-N.*, the recordings, each with its report as text and as a page; verdict.txt, .md and
# .xml; and the file of budgets. The test fails with the exit status of a program that fails.
# As NAME.update: runs the program {runs} + {retries} times, and writes the file of budgets into the source
# tree. Its arguments are further options of orca budget --update, such as --accept.
# shellcheck disable=SC1083 # the braces
set -u

name={name} program={program} orca={orca} budget={budget} options={options} update={update}
runs={runs} retries={retries}
arguments=({arguments})
recordings=()

fail() {
  echo "orca_contention_test: $*" >&2
  exit 1
}

# record NUMBER: runs the program. Fails if the program does.
record() {
  local files=run-$1 status=0
  recordings+=("$files")
  "$orca" run --quiet --stop-at deadlock -o "$files,$options" --report "$files.txt" --html "$files.html" -- \
    "$program" ${arguments[@]+"${arguments[@]}"} || status=$?
  if [ "$status" != 0 ]; then
    echo "orca_contention_test: run $1 of $name ended with status $status" >&2
    if [ "$status" = 4 ] && [ -z "$update" ]; then check; show; fi # it may be a deadlock, which the check explains
  fi
  return "$status"
}

# Checks the recordings so far. The paths in messages begin in the folder of the outputs.
check() {
  cp -f "$budget" "$TEST_UNDECLARED_OUTPUTS_DIR/" && # it may be read-only, also its copy
    (cd "$TEST_UNDECLARED_OUTPUTS_DIR" &&
      "$orca" budget --retryable --junit verdict.xml --markdown verdict.md "${budget##*/}" "${recordings[@]}" >verdict.txt)
}

show() {
  cat "$TEST_UNDECLARED_OUTPUTS_DIR/verdict.txt"
  echo "The recordings (run-1, ...) and a page of each are in test.outputs, beside test.log; if Bazel packs outputs, in outputs.zip there."
  echo "If the new times are wanted: bazel run $name.update"
}

run_test() {
  local number=0 status=3
  while [ "$number" -lt "$runs" ] || { [ "$status" = 5 ] && [ "$number" -lt $((runs + retries)) ]; }; do
    number=$((number + 1))
    record "$number" || exit
    if [ "$number" -lt "$runs" ]; then continue; fi
    check
    status=$?
  done
  # Each budget is a test case.
  if [ -n "${XML_OUTPUT_FILE:-}" ] && [ -s "$TEST_UNDECLARED_OUTPUTS_DIR/verdict.xml" ]; then
    cp "$TEST_UNDECLARED_OUTPUTS_DIR/verdict.xml" "$XML_OUTPUT_FILE"
  fi
  show
  exit "$status"
}

# The program gets the environment of a test, as in the test.
run_update() {
  [ -n "${BUILD_WORKSPACE_DIRECTORY:-}" ] || fail "start $name.update by bazel run"
  local file=$BUILD_WORKSPACE_DIRECTORY/$update number
  [ -d "${file%/*}" ] || fail "cannot write $file: the package is not in this workspace"
  TEST_TMPDIR=$(mktemp -d) || exit
  trap 'rm -rf "$TEST_TMPDIR"' EXIT
  export TEST_TMPDIR TEST_UNDECLARED_OUTPUTS_DIR=$TEST_TMPDIR/outputs TEST_SRCDIR=${PWD%/*}
  export TEST_WORKSPACE=${PWD##*/} RUNFILES_DIR=$TEST_SRCDIR JAVA_RUNFILES=$TEST_SRCDIR
  unset BUILD_WORKING_DIRECTORY BUILD_WORKSPACE_DIRECTORY
  mkdir "$TEST_UNDECLARED_OUTPUTS_DIR"
  for ((number = 1; number <= runs + retries; number++)); do record "$number" || exit; done
  cd "$TEST_UNDECLARED_OUTPUTS_DIR" || exit
  "$orca" budget --update "$@" "$file" "${recordings[@]}"
}

# Bazel starts the rule in the folder of its runfiles for this workspace.
program=$PWD/$program
orca=$PWD/$orca
if [ -n "$update" ]; then
  run_update "$@"
else
  budget=$PWD/$budget
  arguments+=("$@")
  if [ -z "${TEST_UNDECLARED_OUTPUTS_DIR:-}" ]; then fail "start $name by bazel test"; fi
  run_test
fi
