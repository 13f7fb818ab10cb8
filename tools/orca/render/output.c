#include "tools/orca/render/output.h"

#include <errno.h>

#define BLOCK_SIZE ((size_t)64 << 10)

static bool write_text(struct output *o) {
  if (o->error != 0 || o->text.failed) return false;
  if (o->text.len == 0) return true; /* data may be NULL */
  errno = EIO;
  if (fwrite(o->text.data, 1, o->text.len, o->file) != o->text.len) o->error = errno;
  o->text.len = 0;
  return o->error == 0;
}

bool output_write_if_large(struct output *o) { return o->text.len < BLOCK_SIZE || write_text(o); }

bool output_end(struct output *o) {
  if (!write_text(o)) return false;
  if (fflush(o->file) != 0) o->error = errno;
  return o->error == 0;
}

void output_free(struct output *o) {
  builder_free(&o->text);
  o->error = 0;
}
