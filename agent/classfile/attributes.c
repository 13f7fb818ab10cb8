#include "agent/classfile/attributes.h"

#include "agent/classfile/annotations.h"
#include "agent/classfile/big_endian.h"

/* All of these attributes keep their length, and only some pcs in them change: so each is walked by
   a cursor over its copy. */
struct mover {
  struct cursor c;
  char *copy; /* what the cursor walks over */
  const struct layout *l;
};

/* What begins before the first instruction begins before the hook there, too. */
static uint32_t new_start(const struct layout *l, uint32_t pc) { return pc == 0 ? 0 : l->to[pc]; }

/* Takes a pc and writes over it. */
static uint32_t move_pc(struct mover *m, bool may_be_end) {
  size_t at = m->c.at;
  uint32_t pc = take_u2(&m->c);
  if (pc >= m->l->code.len + may_be_end) m->c.failed = true;
  if (!m->c.failed) poke_u2(m->copy + at, new_start(m->l, pc));
  return pc;
}

/* Takes a start and a length (JVM specification 4.7.13). */
static void move_range(struct mover *m) {
  uint32_t start = move_pc(m, true);
  size_t at = m->c.at;
  uint32_t end = start + take_u2(&m->c);
  if (end > m->l->code.len) m->c.failed = true;
  if (!m->c.failed) poke_u2(m->copy + at, m->l->to[end] - new_start(m->l, start));
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

/* What the annotation is about. */
static void move_target(struct mover *m) {
  uint32_t type = take_u1(&m->c);
  switch (type) {
    case 0x40: /* a local variable, */
    case 0x41: /* one of try-with-resources */
      for (uint32_t left = take_u2(&m->c); left > 0 && !m->c.failed; left--) {
        move_range(m);
        take_u2(&m->c);
      }
      break;
    case 0x42: /* a catch: its row in the exception table, where ours are the last */
      take_u2(&m->c);
      break;
    case 0x43: /* instanceof, new, ::new, ::method */
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
      m->c.failed = true; /* not in a Code attribute */
  }
}

static void move_annotations(struct mover *m) {
  for (uint32_t left = take_u2(&m->c); left > 0 && !m->c.failed; left--) {
    move_target(m);
    take_span(&m->c, 2 * (size_t)take_u1(&m->c)); /* the path */
    annotation_skip(&m->c);
  }
}

/* --- all of them -------------------------------------------------------------------- */

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

static const struct kind *kind_of(struct span name) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (span_is(name, kinds[i].name)) return &kinds[i];
  }
  return NULL;
}

bool attribute_is_kept(struct span name) { return kind_of(name) != NULL; }

bool attribute_put(struct span name, struct span body, const struct layout *l,
                   struct builder *out) {
  size_t start = out->len;
  builder_bytes(out, body.data, body.len);
  if (out->failed) return true; /* the caller asks the builder once */
  struct mover m = {{out->data + start, body.len, 0, false}, out->data + start, l};
  kind_of(name)->move(&m);
  if (cursor_done(&m.c)) return true;
  out->len = start;
  return false;
}
