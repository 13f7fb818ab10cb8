#pragma once
/* The tests of a build of Bazel, from the file that --build_event_json_file writes: one event of
   the Build Event Protocol as JSON in each line. The file may come from anybody, so nothing in it
   is trusted. */
#include <stdint.h>
#include <stdio.h>

#include "agent/base/bytes.h"
#include "agent/base/extern_c.h"

BEGIN_C

/* A longer event is skipped. The events of tests are far shorter. */
#define BUILD_EVENTS_MAX_LINE ((size_t)4 << 20)

/* The undeclared outputs of one attempt at a test. */
struct test_output {
  char *uri;
  char *path; /* of outputs.zip, or of the folder; NULL: not on this machine */
};

struct build_test {
  char *label; /* "//app:cart_test" */
  size_t runs; /* attempts that ended, over all shards and runs; 0: the test did not run */
  struct test_output *outputs;
  size_t num, capacity;
};

/* All zero is empty; build_events_free frees its memory. */
struct build_events {
  struct build_test *tests; /* by label */
  size_t num, capacity;
  uint64_t events, skipped; /* skipped: longer than BUILD_EVENTS_MAX_LINE */
  bool is_complete;         /* the last event was read */
};

/* build_events_read fills the empty `*out`. Returns false if the file cannot be read, a line is no
   build event, or an event of a test has no label or wrong outputs. Then it appends one line to
   `why`. Call build_events_free either way. */
bool build_events_read(struct build_events *out, FILE *in, struct builder *why);

void build_events_free(struct build_events *e);

/* file_uri_path appends the path that a URI names on this machine, and a NUL. Returns false, and
   appends nothing, if the URI is of another scheme or another machine. The same if its path is not
   absolute, or contains a control character or a '%' without two hexadecimal digits. */
bool file_uri_path(struct builder *out, const char *uri);

END_C
