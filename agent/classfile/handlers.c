#include "agent/classfile/handlers.h"

#include "agent/classfile/code.h"

static bool is_excluded(const struct layout *l, uint32_t pc) {
  return l->marks[pc] & MARK_UNINITIALIZED || l->before[pc] == INSERT_EXIT;
}

bool handlers_find_range(const struct layout *l, uint32_t *pc, uint32_t *out_start,
                         uint32_t *out_end) {
  while (*pc < l->code.len && is_excluded(l, *pc)) *pc = layout_next(l, *pc);
  *out_start = *pc;
  while (*pc < l->code.len && !is_excluded(l, *pc)) *pc = layout_next(l, *pc);
  *out_end = *pc;
  return *out_start < *out_end;
}

/* The rows of the hooks come last, so that the method's own rows take precedence (JVM
   specification 2.10). */
enum weave_status handlers_put(const struct layout *l, struct span old, struct builder *out) {
  size_t at = out->len;
  put_u2(out, 0);
  struct handler h;
  for (struct cursor c = cursor_over(old); handler_take(&c, &h);) {
    bool good = layout_is_old_start(l, h.start) && layout_is_old_start(l, h.pc) &&
                h.start < h.end && (h.end == l->code.len || layout_is_old_start(l, h.end));
    if (!good) return WEAVE_MALFORMED;
    handler_put(out, &(struct handler){layout_range_start(l, h.start), layout_range_end(l, h.end),
                                       l->new_target[h.pc], h.type});
  }
  uint32_t num = (uint32_t)(old.len / HANDLER_LEN), pc = 0, start, end;
  while (l->handler.len > 0 && handlers_find_range(l, &pc, &start, &end)) {
    handler_put(out,
                &(struct handler){l->new_target[start], l->new_target[end], layout_handler(l), 0});
    num++;
  }
  if (num > UINT16_MAX) return WEAVE_HANDLERS_FULL;
  if (!out->failed) poke_u2(out->data + at, num);
  return WEAVE_WOVEN;
}
