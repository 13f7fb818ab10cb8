#include "tools/orca/attach/reply.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/base/clock.h"

#define MAX_REPLY_BYTES 65536

static const char *get_file_name(const struct reply *r) { return r->path + strlen("/tmp/"); }

bool reply_open(struct reply *r, const struct target *t, struct refusal *why) {
  snprintf(r->path, sizeof r->path, "/tmp/.orca_reply%d_%" PRIu64, (int)getpid(),
           clock_monotonic_ns());
  r->fd = openat(t->tmp, get_file_name(r), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (r->fd >= 0) return true;
  return refuse(why, "cannot create %s of process %d: %s", r->path, (int)t->pid, strerror(errno));
}

void reply_read(const struct reply *r, struct builder *b) {
  char *room = builder_room(b, MAX_REPLY_BYTES);
  ssize_t n = room == NULL ? -1 : pread(r->fd, room, MAX_REPLY_BYTES, 0);
  if (n > 0) b->len += (size_t)n;
}

void reply_close(struct reply *r, const struct target *t) {
  close(r->fd);
  unlinkat(t->tmp, get_file_name(r), 0);
}
