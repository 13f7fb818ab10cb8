#include "agent/classfile/attributes.h"

#include "agent/classfile/annotations.h"
#include "agent/classfile/big_endian.h"

/* These attributes keep their length, and only some pcs in them change. So a cursor walks over a
   copy of the body and the pcs are overwritten in it. */
struct mover {
  struct cursor c;
  char *copy; /* the bytes under the cursor */
  const struct layout *l;
};

/* A range or line that starts at the first instruction includes the hook before it. */
static uint32_t new_start(const struct layout *l, uint32_t pc) {
  return pc == 0 ? 0 : l->new_target[pc];
}

/* Takes a pc and overwrites it with the new one. Returns the old one. */
static uint32_t move_pc(struct mover *m, bool may_be_end) {
  size_t at = m->c.at;
  uint32_t pc = take_u2(&m->c);
  if (pc >= m->l->code.len + may_be_end) m->c.failed = true;
  if (!m->c.failed) poke_u2(m->copy + at, new_start(m->l, pc));
  return pc;
}

/* Takes a start and a length (JVM specification 4.7.13) and overwrites both. */
static void move_range(struct mover *m) {
  uint32_t start = move_pc(m, true);
  size_t at = m->c.at;
  uint32_t end = start + take_u2(&m->c);
  if (end > m->l->code.len) m->c.failed = true;
  if (!m->c.failed) poke_u2(m->copy + at, m->l->new_target[end] - new_start(m->l, start));
}

/* --- LineNumberTable, LocalVariableTable, LocalVariableTypeTable ------------------ */

static void move_lines(struct mover *m) {
  for (uint32_t left = take_u2(&m->c); left > 0 && !m->c.failed; left--) {
    move_pc(m, false);
    take_u2(&m->c);
  }
}

static void move_locals(struct mover *m) {
  for (uint32_t left = take_u2(&m->c); left > 0 && !m->c.failed; left--) {
    move_range(m);
    take_span(&m->c, 6); /* name, type, index */
  }
}

/* --- type annotations (JVM specification 4.7.20) ----------------------------------- */

/* Moves the pcs in the target of an annotation. */
static void move_target(struct mover *m) {
  uint32_t type = take_u1(&m->c);
  switch (type) {
    case 0x40: /* a local variable */
    case 0x41: /* a resource of try-with-resources */
      for (uint32_t left = take_u2(&m->c); left > 0 && !m->c.failed; left--) {
        move_range(m);
        take_u2(&m->c);
      }
      break;
    case 0x42: /* a catch: its row in the exception table; the hooks' rows come after all others */
      take_u2(&m->c);
      break;
    case 0x43: /* instanceof, new, and the method references ::new and ::method */
    case 0x44:
    case 0x45:
    case 0x46:
      move_pc(m, false);
      break;
    case 0x47: /* casts and type arguments */
    case 0x48:
    case 0x49:
    case 0x4A:
    case 0x4B:
      move_pc(m, false);
      take_u1(&m->c);
      break;
    default:
      m->c.failed = true; /* this type of target does not occur in a Code attribute */
  }
}

static void move_annotations(struct mover *m) {
  for (uint32_t left = take_u2(&m->c); left > 0 && !m->c.failed; left--) {
    move_target(m);
    take_span(&m->c, 2 * (size_t)take_u1(&m->c)); /* the path */
    annotation_skip(&m->c);
  }
}

/* --- dispatch by name --------------------------------------------------------------- */

static const struct kind {
  const char *name;
  void (*move)(struct mover *);
} kinds[] = {
    {"LineNumberTable", move_lines},
    {"LocalVariableTable", move_locals},
    {"LocalVariableTypeTable", move_locals},
    {"RuntimeVisibleTypeAnnotations", move_annotations},
    {"RuntimeInvisibleTypeAnnotations", move_annotations},
};

static const struct kind *find_kind(struct span name) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (span_is(name, kinds[i].name)) return &kinds[i];
  }
  return NULL;
}

bool attribute_is_kept(struct span name) { return find_kind(name) != NULL; }

bool attribute_put(struct span name, struct span body, const struct layout *l,
                   struct builder *out) {
  size_t start = out->len;
  builder_bytes(out, body.data, body.len);
  if (out->failed) return true; /* the caller checks out->failed at the end */
  struct mover m = {{out->data + start, body.len, 0, false}, out->data + start, l};
  find_kind(name)->move(&m);
  if (cursor_is_done(&m.c)) return true;
  out->len = start;
  return false;
}
