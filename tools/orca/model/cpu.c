#include "tools/orca/model/cpu.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

void cpu_start(struct cpu *c, struct matcher *matcher, const struct stacks *stacks) {
  c->matcher = matcher;
  c->stacks = stacks;
}

static bool is_asked(const struct cpu *c, stack_id_t stack) {
  return c->matcher == NULL || matcher_stack(c->matcher, c->stacks, stack);
}

static bool add(struct cpu *c, uint32_t thread, stack_id_t stack, uint64_t ns) {
  if (!is_asked(c, stack)) return true;
  c->total_ns += ns;
  if (stack == 0) c->no_stack_ns += ns;
  while (c->num_stacks <= stack) {
    void *grown = grow(c->stack_ns, c->num_stacks, &c->stacks_capacity, sizeof *c->stack_ns);
    if (grown == NULL) return false;
    c->stack_ns = grown;
    c->stack_ns[c->num_stacks++] = 0;
  }
  c->stack_ns[stack] += ns;
  return c->profile == NULL ||
         profile_add(c->profile, thread, stack, PROFILE_CPU, ns * TICKS_PER_NS);
}

bool cpu_add(struct cpu *c, uint32_t thread, uint64_t ns, stack_id_t stack) {
  return ns == 0 || add(c, thread, stack, ns);
}

void cpu_forget(struct cpu *c) {
  struct cpu was = *c;
  cpu_free(c);
  c->matcher = was.matcher;
  c->stacks = was.stacks;
  c->profile = was.profile;
  if (c->profile != NULL) profile_forget(c->profile, PROFILE_CPU);
}

bool cpu_sample(struct cpu *c, uint32_t thread, uint64_t ns, stack_id_t stack) {
  if (ns == 0) return true; /* it did not run, whatever its state says */
  uint64_t *carried = hashmap_at(&c->carried, thread);
  if (carried == NULL) return false;
  *carried += ns;
  if (stack == 0) return true;
  c->num_samples += is_asked(c, stack);
  ns = *carried;
  *carried = 0;
  return hashmap_put(&c->last, thread, stack) && add(c, thread, stack, ns);
}

bool cpu_of_profile(struct cpu *c, const struct profile *p, enum profile_value value) {
  for (size_t i = 0; i < p->num; i++) {
    const struct profile_row *row = &p->rows[i];
    if (!add(c, row->thread, row->stack, profile_ns(row, value))) return false;
  }
  return true;
}

/* What is still carried goes to where its thread was seen last. */
static bool settle(struct cpu *c) {
  struct hashmap_slot carried;
  for (size_t cursor = 0; hashmap_next(&c->carried, &cursor, &carried);) {
    uint64_t stack = 0;
    hashmap_get(&c->last, carried.key, &stack);
    uint64_t ns = carried.value;
    if (ns > 0 && !add(c, (uint32_t)carried.key, (stack_id_t)stack, ns)) return false;
  }
  hashmap_free(&c->carried);
  return true;
}

/* What is needed once, to go from stacks to methods. */
struct ranking {
  struct cpu *cpu;
  const struct stacks *stacks;
  const struct dump *dump;
  struct hashmap rows; /* method -> index plus one */
  struct hashmap seen; /* method -> the last stack, plus one, that it was counted for */
  struct tally self_places, total_places, callers, called_from;
};

/* A stack without a pseudo frame on top of it, unless that is all there is. */
struct seen_stack {
  stack_id_t id;
  const struct frame *frames;
  size_t depth;
  uint64_t ns;
  uint32_t leaf; /* the method of the pseudo frame, else 0 */
};

static struct cpu_method *row_of(struct ranking *r, uint32_t method) {
  struct cpu *c = r->cpu;
  struct cpu_method *row = rows_at(&r->rows, method, &c->methods, &c->num_methods,
                                   &c->methods_capacity, sizeof *row, NULL);
  if (row != NULL) row->method = method;
  return row;
}

static void count_leaf(struct cpu_method *row, const struct seen_stack *seen) {
  if (seen->leaf == pseudo_method(PSEUDO_NATIVE)) row->native_ns += seen->ns;
  if (seen->leaf == pseudo_method(PSEUDO_JVM)) row->jvm_ns += seen->ns;
}

static bool count_top(struct ranking *r, const struct seen_stack *seen) {
  struct frame top = seen->frames[0];
  struct cpu_method *row = row_of(r, top.method);
  if (row == NULL) return false;
  row->self_ns += seen->ns;
  count_leaf(row, seen);
  return tally_add(&r->self_places, top.method, place_of_frame(r->dump, top), 1, seen->ns) &&
         tally_add(&r->callers, top.method, stacks_place(r->stacks, seen->id), 1, seen->ns);
}

/* The frame that calls a method is the next one outside of all its frames in a row. */
static place_t caller_of(const struct ranking *r, const struct seen_stack *seen, size_t at) {
  uint32_t method = seen->frames[at].method;
  while (at < seen->depth && seen->frames[at].method == method) at++;
  if (at == seen->depth) return place(pseudo_method(PSEUDO_ROOT), 0);
  return place_of_frame(r->dump, seen->frames[at]);
}

static bool count_frame(struct ranking *r, const struct seen_stack *seen, size_t at) {
  struct frame frame = seen->frames[at];
  uint64_t *last = hashmap_at(&r->seen, frame.method);
  if (last == NULL) return false;
  if (*last == seen->id + UINT64_C(1)) return true;
  *last = seen->id + UINT64_C(1);
  struct cpu_method *row = row_of(r, frame.method);
  if (row == NULL) return false;
  row->total_ns += seen->ns;
  row->is_native |= frame.location == LOCATION_NATIVE && !pseudo_is(frame.method);
  return tally_add(&r->total_places, frame.method, place_of_frame(r->dump, frame), 1, seen->ns) &&
         tally_add(&r->called_from, frame.method, caller_of(r, seen, at), 1, seen->ns);
}

static bool count_stack(struct ranking *r, stack_id_t stack) {
  struct seen_stack seen = {.id = stack, .ns = r->cpu->stack_ns[stack]};
  seen.frames = stacks_frames(r->stacks, stack, &seen.depth);
  if (seen.ns == 0 || seen.depth == 0) return true;
  if (seen.depth > 1 && pseudo_is_leaf(seen.frames[0].method)) {
    seen.leaf = seen.frames[0].method;
    seen.frames++;
    seen.depth--;
  }
  if (!count_top(r, &seen)) return false;
  for (size_t i = 0; i < seen.depth; i++) {
    if (!count_frame(r, &seen, i)) return false;
  }
  return true;
}

static bool count_all(struct ranking *r) {
  for (size_t stack = 0; stack < r->cpu->num_stacks; stack++) {
    if (!count_stack(r, (stack_id_t)stack)) return false;
  }
  return true;
}

static void set_places(struct ranking *r) {
  tally_sort(&r->self_places);
  tally_sort(&r->total_places);
  tally_sort(&r->callers);
  tally_sort(&r->called_from);
  for (size_t i = 0; i < r->cpu->num_methods; i++) {
    struct cpu_method *row = &r->cpu->methods[i];
    row->place = tally_best(row->self_ns > 0 ? &r->self_places : &r->total_places, row->method);
    place_t caller = tally_best(&r->callers, row->method);
    if (place_method(caller) != row->method && !pseudo_is(row->method)) row->caller = caller;
    row->called_from = row->caller != 0 ? row->caller : tally_best(&r->called_from, row->method);
    if (pseudo_is(row->method)) row->called_from = 0;
  }
}

static int by_size(const void *left, const void *right) {
  const struct cpu_method *a = left, *b = right;
  if (a->self_ns != b->self_ns) return compare_numbers(b->self_ns, a->self_ns);
  if (a->total_ns != b->total_ns) return compare_numbers(b->total_ns, a->total_ns);
  return compare_numbers(a->method, b->method);
}

static int by_total(const void *left, const void *right) {
  const struct cpu_method *a = left, *b = right;
  if (a->total_ns != b->total_ns) return compare_numbers(b->total_ns, a->total_ns);
  return by_size(left, right);
}

void cpu_sort_by_total(struct cpu *c) {
  if (c->num_methods > 0) qsort(c->methods, c->num_methods, sizeof *c->methods, by_total);
}

const struct cpu_method *cpu_hottest(const struct cpu *c) {
  const struct cpu_method *best = NULL;
  for (size_t i = 0; i < c->num_methods; i++) {
    const struct cpu_method *row = &c->methods[i];
    if (row->self_ns == 0 || pseudo_is(row->method)) continue;
    if (best == NULL || row->self_ns > best->self_ns) best = row;
  }
  return best;
}

uint64_t cpu_pseudo_ns(const struct cpu *c, enum pseudo pseudo) {
  for (size_t i = 0; i < c->num_methods; i++) {
    if (c->methods[i].method == pseudo_method(pseudo)) return c->methods[i].self_ns;
  }
  return 0;
}

static void ranking_free(struct ranking *r) {
  hashmap_free(&r->rows);
  hashmap_free(&r->seen);
  tally_free(&r->self_places);
  tally_free(&r->total_places);
  tally_free(&r->callers);
  tally_free(&r->called_from);
}

bool cpu_rank(struct cpu *c, const struct stacks *stacks, const struct dump *d) {
  struct ranking r = {.cpu = c, .stacks = stacks, .dump = d};
  bool good = settle(c) && count_all(&r);
  if (good) set_places(&r);
  ranking_free(&r);
  if (c->num_methods > 0) qsort(c->methods, c->num_methods, sizeof *c->methods, by_size);
  return good;
}

void cpu_free(struct cpu *c) {
  hashmap_free(&c->carried);
  hashmap_free(&c->last);
  free(c->stack_ns);
  free(c->methods);
  *c = (struct cpu){0};
}
