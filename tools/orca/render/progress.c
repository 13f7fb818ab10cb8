#include "tools/orca/render/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "agent/base/bytes.h"
#include "agent/base/clock.h"

#define BAR_WIDTH 30
#define FIRST_NS NS_PER_S        /* from the start to the first drawing */
#define EVERY_NS (NS_PER_S / 10) /* between two drawings */

void progress_start(struct progress *p, int fd, uint64_t total) {
  *p = (struct progress){.fd = isatty(fd) ? fd : -1, .total = total};
  p->started = clock_monotonic_ns();
}

static void put_bytes(struct builder *b, uint64_t bytes) {
  char text[32];
  bool giga = bytes >= 1000000000;
  snprintf(text, sizeof text, "%.1f %s", (double)bytes / (giga ? 1e9 : 1e6), giga ? "GB" : "MB");
  builder_string(b, text);
}

/* `done` can exceed `total` if a file grows while it is read. */
void progress_write(struct builder *b, const struct progress *p) {
  char percent[16];
  uint64_t done = p->done < p->total ? p->done : p->total;
  double share = p->total == 0 ? 1 : (double)done / (double)p->total;
  snprintf(percent, sizeof percent, "  %3.0f %%  ", share * 100);
  builder_string(b, "reading  ");
  for (int i = 0; i < BAR_WIDTH; i++) {
    builder_string(b, share * BAR_WIDTH >= i + 1 ? "█" : "░");
  }
  builder_string(b, percent);
  put_bytes(b, done);
  builder_string(b, " of ");
  put_bytes(b, p->total);
}

void progress_add(struct progress *p, uint64_t bytes) {
  p->done += bytes;
  if (p->fd < 0) return;
  uint64_t now = clock_monotonic_ns();
  if (now - p->started < FIRST_NS || now - p->drawn < EVERY_NS) return;
  struct builder line = {0};
  builder_string(&line, "\r");
  progress_write(&line, p);
  if (!line.failed && write(p->fd, line.data, line.len) > 0) p->shown = true;
  p->drawn = now;
  builder_free(&line);
}

void progress_hide(struct progress *p) {
  static const char erase[] = "\r\033[K";
  if (p->shown && write(p->fd, erase, sizeof erase - 1) > 0) p->shown = false;
}
