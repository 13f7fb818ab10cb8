#include "agent/writer/change.h"

#include <stdio.h>
#include <stdlib.h>

#include "agent/base/memory.h"
#include "agent/event/line.h"
#include "agent/files/info.h"
#include "agent/options/changes.h"

struct change *change_new(const struct options *before, const struct options *after,
                          const char *cause) {
  uint64_t keys = options_compare(before, after);
  struct change *c = keys == 0 ? NULL : memory_new_zeroed(1, sizeof *c);
  if (c == NULL) return NULL;
  c->options = *after;
  c->keys = keys;
  snprintf(c->cause, sizeof c->cause, "%s", cause);
  return c;
}

bool change_has(const struct change *c, enum option_key key) { return (c->keys >> key & 1) != 0; }

void change_put_rows(const struct change *c, struct builder *info, uint64_t now_ns) {
  for (int key = 0; key < NUM_OPTIONS; key++) {
    struct builder text = {0};
    bool is_late = option_infos[key].follower == FOLLOWER_WRITER;
    if (!change_has(c, (enum option_key)key)) continue;
    text_ticks(&text, c->begin_ns * TICKS_PER_NS);
    builder_char(&text, ',');
    text_ticks(&text, (is_late ? now_ns : c->end_ns) * TICKS_PER_NS);
    builder_format(&text, ",%s,%s=%s%c", c->cause, option_infos[key].key, c->options.text[key],
                   '\0');
    if (!text.failed) info_text(info, INFO_CHANGE, text.data);
    info->failed |= text.failed;
    builder_free(&text);
  }
}
