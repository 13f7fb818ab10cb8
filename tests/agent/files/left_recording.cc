#include "tests/agent/files/left_recording.h"

#include "tools/orca/check/check.h"
#include "tools/orca/dump/dump.h"

namespace {

void ReadFaults(struct dump *d, LeftRecording *left) {
  struct check_totals totals;
  if (!check_dump(d, &totals)) left->error = "out of memory";
  const struct faults *f = dump_faults(d);
  for (size_t i = 0; i < f->num; i++) {
    struct builder b = {};
    fault_write(&b, "out", &f->rows[i]);
    left->faults.emplace_back(b.data, b.len);
    builder_free(&b);
  }
}

void ReadEvents(struct dump *d, LeftRecording *left) {
  struct stream *s = dump_stream(d, DUMP_EVENTS);
  for (struct event_line e; stream_event(s, &e);) {
    left->events.emplace_back(e.thread, event_infos[e.kind].name);
  }
  stream_close(s);
}

}  // namespace

LeftRecording ReadLeftRecording(const std::string &prefix) {
  LeftRecording left;
  struct builder why = {};
  struct dump *d = dump_open(prefix.c_str(), &why);
  if (d == nullptr) left.error.assign(why.data, why.len);
  builder_free(&why);
  if (d == nullptr) return left;
  const struct sets *sets = dump_sets(d);
  for (size_t i = 0; i < sets->num; i++) left.sets.push_back(sets->sets[i].number);
  left.missing = sets->missing;
  struct span reason;
  if (dump_info(d, INFO_END_REASON, &reason)) left.end_reason.assign(reason.data, reason.len);
  ReadFaults(d, &left);
  ReadEvents(d, &left);
  dump_close(d);
  return left;
}
