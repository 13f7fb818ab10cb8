#include "tools/orca/cmd/commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "agent/base/log.h"
#include "tools/orca/check/check.h"
#include "tools/orca/cmd/dump_command.h"

static const char about[] =
    "Checks the files of a recording against all rules of their formats. Prints a line for each "
    "broken rule: the first place, and how often it is broken.\n";

/* Prints that lines may be missing, if an allocation of the agent failed. */
static void print_failed_allocations(const struct dump *d, const struct check_totals *totals) {
  uint64_t num = totals->num_failed_allocations;
  if (num == 0) return;
  printf("%s: %" PRIu64
         " %s of the agent failed, as there was no memory: lines or their "
         "definitions may be missing\n",
         dump_prefix(d), num, num == 1 ? "allocation" : "allocations");
}

static void print_totals(const struct dump *d, const struct check_totals *totals) {
  const uint64_t *lines = totals->lines;
  printf("%s: %" PRIu64 " events, %" PRIu64 " samples, %" PRIu64 " methods, %" PRIu64
         " classes, %" PRIu64 " objects, all right",
         dump_prefix(d), lines[DUMP_EVENTS], totals->samples, lines[DUMP_METHODS],
         lines[DUMP_CLASSES], lines[DUMP_OBJECTS]);
  const struct sets *sets = dump_sets(d);
  if (sets->num > 1) printf("; %zu sets", sets->num);
  if (sets->first > 1) printf("; the %u sets before them are missing", sets->first - 1);
  if (totals->num_early_ends > 0) {
    printf("; %" PRIu64 " end events whose begin event is in a missing set",
           totals->num_early_ends);
  }
  if (totals->is_lossy) printf("; events were dropped, so the pairs were not checked");
  for (int file = 0; file < NUM_DUMP_FILES; file++) {
    if (totals->is_cut[file]) printf("; %s ends within a line", dump_suffixes[file]);
  }
  putchar('\n');
}

static int check_and_print(struct dump *d, const void *arg) {
  (void)arg;
  struct check_totals totals;
  bool is_complete = check_dump(d, &totals);
  if (!is_complete) log_line("check: out of memory, so not everything was checked");
  const struct faults *f = dump_faults(d);
  if (is_complete && f->num == 0) {
    print_totals(d, &totals);
    print_failed_allocations(d, &totals);
    return DONE;
  }
  struct builder b = {0};
  for (size_t i = 0; i < f->num; i++) fault_write(&b, dump_prefix(d), &f->rows[i]);
  fwrite(b.data, 1, b.len, stdout);
  builder_free(&b);
  print_failed_allocations(d, &totals);
  return WRONG;
}

static int run_check(struct call *call) {
  return dump_command_run(call->operands[0], check_and_print, NULL);
}

const struct command cmd_check = {
    .about = about,
    .statuses = "0 no rule is broken, 1 a rule is broken, 2 wrong use or no such recording.",
    .run = run_check};
