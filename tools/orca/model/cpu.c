#include "tools/orca/model/cpu.h"

#include <stdlib.h>

#include "tools/orca/model/base/grow.h"
#include "tools/orca/model/base/rows.h"
#include "tools/orca/model/base/sorting.h"

void cpu_start(struct cpu *c, struct matcher *matcher, const struct stacks *stacks) {
  c->matcher = matcher;
  c->stacks = stacks;
}

static bool does_stack_count(const struct cpu *c, stack_id_t stack) {
  return c->matcher == NULL || matcher_stack(c->matcher, c->stacks, stack);
}

static bool add_cpu_time(struct cpu *c, uint32_t thread, stack_id_t stack, uint64_t ns) {
  if (!does_stack_count(c, stack)) return true;
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
  return ns == 0 || add_cpu_time(c, thread, stack, ns);
}

void cpu_forget(struct cpu *c) {
  struct cpu old = *c;
  cpu_free(c);
  c->matcher = old.matcher;
  c->stacks = old.stacks;
  c->profile = old.profile;
  if (c->profile != NULL) profile_forget(c->profile, PROFILE_CPU);
}

bool cpu_sample(struct cpu *c, uint32_t thread, uint64_t ns, stack_id_t stack) {
  if (ns == 0) return true; /* the thread did not run, even if its state is Runnable */
  uint64_t *carried = hashmap_at(&c->carried, thread);
  if (carried == NULL) return false;
  *carried += ns;
  if (stack == 0) return true;
  c->num_samples += does_stack_count(c, stack);
  ns = *carried;
  *carried = 0;
  return hashmap_put(&c->last, thread, stack) && add_cpu_time(c, thread, stack, ns);
}

bool cpu_of_profile(struct cpu *c, const struct profile *p, enum profile_value value) {
  for (size_t i = 0; i < p->num; i++) {
    const struct profile_row *row = &p->rows[i];
    if (!add_cpu_time(c, row->thread, row->stack, profile_ns(row, value))) return false;
  }
  return true;
}

/* Adds the time that is still carried to the last stack in which its thread ran. */
static bool add_carried_time(struct cpu *c) {
  struct hashmap_slot carried;
  for (size_t cursor = 0; hashmap_next(&c->carried, &cursor, &carried);) {
    uint64_t stack = 0;
    hashmap_get(&c->last, carried.key, &stack);
    uint64_t ns = carried.value;
    if (ns > 0 && !add_cpu_time(c, (uint32_t)carried.key, (stack_id_t)stack, ns)) return false;
  }
  hashmap_free(&c->carried);
  return true;
}

/* The state of cpu_rank. */
struct ranking {
  struct cpu *cpu;
  const struct stacks *stacks;
  const struct dump *dump;
  struct hashmap rows; /* method -> index plus one */
  struct hashmap seen; /* method -> the last stack that counted for its total time, plus one */
  struct tally self_places, total_places, callers, called_from;
};

/* A stack without the pseudo frame on top of it. A stack of one frame keeps that frame. */
struct ranked_stack {
  stack_id_t id;
  const struct frame *frames;
  size_t depth;
  uint64_t ns;
  uint32_t leaf; /* the method of the pseudo frame that was on top; 0: none */
};

static struct cpu_method *find_or_add_cpu_method(struct ranking *r, uint32_t method) {
  struct cpu *c = r->cpu;
  struct cpu_method *row = rows_at(&r->rows, method, &c->methods, &c->num_methods,
                                   &c->methods_capacity, sizeof *row, NULL);
  if (row != NULL) row->method = method;
  return row;
}

/* Returns the frame that calls the method of frame `at`. Consecutive frames of the method itself
   are skipped. */
static place_t find_calling_frame(const struct ranking *r, const struct ranked_stack *ranked,
                                  size_t at) {
  uint32_t method = ranked->frames[at].method;
  while (at < ranked->depth && ranked->frames[at].method == method) at++;
  if (at == ranked->depth) return place(pseudo_method(PSEUDO_ROOT), 0);
  return place_of_frame(r->dump, ranked->frames[at]);
}

static bool add_total_time(struct ranking *r, const struct ranked_stack *ranked, size_t at) {
  struct frame frame = ranked->frames[at];
  uint64_t *last = hashmap_at(&r->seen, frame.method);
  if (last == NULL) return false;
  if (*last == ranked->id + UINT64_C(1)) return true;
  *last = ranked->id + UINT64_C(1);
  struct cpu_method *row = find_or_add_cpu_method(r, frame.method);
  if (row == NULL) return false;
  row->total_ns += ranked->ns;
  row->is_native |= frame.location == LOCATION_NATIVE && !pseudo_is(frame.method);
  return tally_add(&r->total_places, frame.method, place_of_frame(r->dump, frame), 1, ranked->ns) &&
         tally_add(&r->called_from, frame.method, find_calling_frame(r, ranked, at), 1, ranked->ns);
}

static bool rank_stack(struct ranking *r, stack_id_t stack) {
  struct ranked_stack ranked = {.id = stack, .ns = r->cpu->stack_ns[stack]};
  ranked.frames = stacks_frames(r->stacks, stack, &ranked.depth);
  if (ranked.ns == 0 || ranked.depth == 0) return true;
  if (ranked.depth > 1 && pseudo_is_leaf(ranked.frames[0].method)) {
    ranked.leaf = ranked.frames[0].method;
    ranked.frames++;
    ranked.depth--;
  }
  struct frame top = ranked.frames[0];
  struct cpu_method *row = find_or_add_cpu_method(r, top.method);
  if (row == NULL) return false;
  row->self_ns += ranked.ns;
  if (ranked.leaf == pseudo_method(PSEUDO_NATIVE)) row->native_ns += ranked.ns;
  if (ranked.leaf == pseudo_method(PSEUDO_JVM)) row->jvm_ns += ranked.ns;
  if (!tally_add(&r->self_places, top.method, place_of_frame(r->dump, top), 1, ranked.ns) ||
      !tally_add(&r->callers, top.method, stacks_place(r->stacks, stack), 1, ranked.ns)) {
    return false;
  }
  for (size_t i = 0; i < ranked.depth; i++) {
    if (!add_total_time(r, &ranked, i)) return false;
  }
  return true;
}

static void set_method_places(struct ranking *r) {
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

static int compare_by_self(const void *left, const void *right) {
  const struct cpu_method *a = left, *b = right;
  if (a->self_ns != b->self_ns) return compare_numbers(b->self_ns, a->self_ns);
  if (a->total_ns != b->total_ns) return compare_numbers(b->total_ns, a->total_ns);
  return compare_numbers(a->method, b->method);
}

static int compare_by_total(const void *left, const void *right) {
  const struct cpu_method *a = left, *b = right;
  if (a->total_ns != b->total_ns) return compare_numbers(b->total_ns, a->total_ns);
  return compare_by_self(left, right);
}

void cpu_sort_by_total(struct cpu *c) {
  if (c->num_methods > 0) qsort(c->methods, c->num_methods, sizeof *c->methods, compare_by_total);
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

bool cpu_rank(struct cpu *c, const struct stacks *stacks, const struct dump *d) {
  struct ranking r = {.cpu = c, .stacks = stacks, .dump = d};
  bool good = add_carried_time(c);
  for (size_t stack = 0; good && stack < c->num_stacks; stack++) {
    good = rank_stack(&r, (stack_id_t)stack);
  }
  if (good) set_method_places(&r);
  hashmap_free(&r.rows);
  hashmap_free(&r.seen);
  tally_free(&r.self_places);
  tally_free(&r.total_places);
  tally_free(&r.callers);
  tally_free(&r.called_from);
  if (c->num_methods > 0) qsort(c->methods, c->num_methods, sizeof *c->methods, compare_by_self);
  return good;
}

void cpu_free(struct cpu *c) {
  hashmap_free(&c->carried);
  hashmap_free(&c->last);
  free(c->stack_ns);
  free(c->methods);
  *c = (struct cpu){0};
}
