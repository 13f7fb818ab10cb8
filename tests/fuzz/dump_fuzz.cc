// Reads arbitrary bytes as the files of a dump. The reader and the checker must not crash, and
// their messages must be printable.
#include <cstdint>
#include <cstdio>

#include "tests/fuzz/input.h"
#include "tools/orca/check/check.h"

namespace {

// Looks up the source line of each frame, like the views do.
void FindSourceLines(struct dump *d, struct span stack) {
  struct span frames = stack_frames(stack);
  for (struct frame f; stack_next(&frames, &f);) dump_source_line(d, f);
}

void ReadAll(struct dump *d) {
  struct stream *s = dump_stream(d, DUMP_EVENTS);
  for (struct event_line e; stream_event(s, &e);) {
    if (shape_has_stack(event_infos[e.kind].shape)) FindSourceLines(d, e.stack);
  }
  stream_close(s);
  s = dump_stream(d, DUMP_SAMPLES);
  for (struct sample_line l; stream_sample(s, &l);) {
    if (l.kind == SAMPLE_STACK) FindSourceLines(d, l.stack);
  }
  stream_close(s);
  struct span value;
  dump_info(d, INFO_PID, &value);
  coverage_option(dump_coverage(d), OPTION_interval, &value);
}

void RequirePrintable(struct dump *d) {
  const struct faults *faults = dump_faults(d);
  struct builder b = {};
  for (size_t i = 0; i < faults->num; i++) fault_write(&b, "f", &faults->rows[i]);
  for (size_t i = 0; i < b.len; i++) {
    unsigned char c = static_cast<unsigned char>(b.data[i]);
    if (c < ' ' && c != '\n') abort();
  }
  builder_free(&b);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  WriteInput({reinterpret_cast<const char *>(data), size});
  struct builder why = {};
  struct dump *d = dump_open(InputPrefix().c_str(), &why);
  if (d == nullptr) abort();
  struct check_totals totals;
  ReadAll(d);
  if (!check_dump(d, &totals)) abort();
  RequirePrintable(d);
  dump_close(d);
  builder_free(&why);
  return 0;
}
