#include "tools/orca/budget/renewal.h"

#include <stdlib.h>
#include <string.h>

#define MARGIN 2 /* a new limit is as many times the largest figure */
#define NS_PER_MS UINT64_C(1000000)

/* Waits that are no problem in any program: a thread lost its CPU while it held a lock. */
#define FEW_WAITS 20
#define SHORT_WAIT_NS (100 * NS_PER_MS)
#define SMALL_SHARE 50 /* tenths of a percent */

static const char new_header[] =
    "# What the locks of this program may cost. Check recordings: orca budget FILE PREFIX...\n"
    "# Make this file anew from several runs: orca budget --update FILE PREFIX...\n"
    "\n";

struct renewal {
  struct budget *out;
  const struct budget *old;
  const struct figures *runs;
  size_t num;
  bool is_first; /* `old` has what a first file begins with */
};

/* --- limits ------------------------------------------------------------------------------- */

static uint64_t raise_to(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Rounds up to two digits: 613 becomes 620. */
static uint64_t round_up(uint64_t n) {
  uint64_t unit = 1;
  while (n / unit >= 100) unit *= 10;
  return (n + unit - 1) / unit * unit;
}

static uint64_t suggest(uint64_t largest) {
  return largest > UINT64_MAX / 4 ? largest : round_up(MARGIN * largest);
}

/* Times are whole milliseconds, at least one. */
static uint64_t suggest_ns(uint64_t largest_ns) {
  uint64_t ms = suggest((largest_ns + NS_PER_MS - 1) / NS_PER_MS);
  return raise_to(ms, 1) * NS_PER_MS;
}

/* A limit that the runs keep, and that is not far too large. Times that do not depend on the load,
   such as a sleep, are no shorter on an idle machine. So only what was found suggests a limit. */
static bool still_fits(uint64_t limit, uint64_t largest, uint64_t suggested) {
  return largest <= limit && limit <= MARGIN * suggested;
}

struct largest {
  struct figure found; /* as they were, with the sorts of all */
  struct figure idle;  /* as they may have been on an idle machine: the check compares these */
};

/* Sets `*out` to the largest figures of all runs with this kind and key. Returns whether there is
   one. */
static bool find_largest(const struct renewal *r, enum budget_kind kind, const char *key,
                         struct largest *out) {
  bool found = false;
  *out = (struct largest){.found = {.kind = kind}, .idle = {.kind = kind}};
  for (size_t i = 0; i < r->num; i++) {
    const struct figure *figure = figures_find(&r->runs[i], kind, key);
    if (figure == NULL) continue;
    bool is_time = budget_is_time(kind);
    uint64_t idle = is_time ? figures_scaled(&r->runs[i], figure->number) : figure->number;
    uint64_t idle_ns = figures_scaled(&r->runs[i], figure->longest_ns);
    out->found.number = raise_to(out->found.number, figure->number);
    out->found.longest_ns = raise_to(out->found.longest_ns, figure->longest_ns);
    out->idle.number = raise_to(out->idle.number, idle);
    out->idle.longest_ns = raise_to(out->idle.longest_ns, idle_ns);
    out->found.sorts |= figure->sorts;
    found = true;
  }
  return found;
}

/* --- known problems ----------------------------------------------------------------------- */

/* A problem stays known if a run has it, or cannot prove that it is gone. */
static bool keep_known(struct renewal *r, const struct budget_row *row) {
  bool stays = false;
  for (size_t i = 0; i < r->num; i++) {
    stays |= r->runs[i].unproven[row->kind] != NULL ||
             figures_find(&r->runs[i], row->kind, row->key) != NULL;
  }
  return !stays || budget_add(r->out, row);
}

static bool accept_problems(struct renewal *r) {
  for (size_t i = 0; i < r->num; i++) {
    for (size_t k = 0; k < r->runs[i].num; k++) {
      const struct figure *figure = &r->runs[i].rows[k];
      bool is_known = budget_find(r->out, figure->kind, figure->key) != NULL;
      if (budget_kinds[figure->kind].form != FORM_KNOWN || is_known) continue;
      struct budget_row row = {.kind = figure->kind, .key = figure->key};
      if (!budget_add(r->out, &row)) return false;
    }
  }
  return true;
}

/* --- counts and shares -------------------------------------------------------------------- */

static bool renew_count(struct renewal *r, const struct budget_row *row) {
  struct budget_row copy = *row;
  struct largest largest;
  bool is_known = true;
  find_largest(r, row->kind, "", &largest);
  for (size_t i = 0; i < r->num; i++) is_known &= r->runs[i].unproven[row->kind] == NULL;
  if (is_known && largest.found.number < row->number) copy.number = largest.found.number;
  return budget_add(r->out, &copy);
}

/* Whole percents, at most 100. */
static uint64_t suggest_share(uint64_t largest) {
  uint64_t share = (MARGIN * largest + 9) / 10 * 10;
  share = raise_to(share, SMALL_SHARE);
  return share > 1000 ? 1000 : share;
}

static bool renew_share(struct renewal *r, const struct budget_row *row) {
  struct budget_row copy = *row;
  struct largest largest;
  if (find_largest(r, row->kind, "", &largest)) {
    uint64_t suggested = suggest_share(largest.found.number);
    uint64_t kept = r->is_first ? largest.found.number : largest.idle.number;
    if (!still_fits(row->number, kept, suggested)) copy.number = suggested;
  }
  return budget_add(r->out, &copy);
}

/* --- locks -------------------------------------------------------------------------------- */

static bool allows_more(const struct budget_row *row, const struct budget_row *than) {
  return row->number > than->number || row->longest_ns > than->longest_ns;
}

/* Raises new limits to those of all locks, except where the old row was stricter on purpose. */
static void raise_to_any(struct budget_row *row, const struct budget_row *old,
                         const struct budget_row *any) {
  if (any == NULL) return;
  if (old->number >= any->number) row->number = raise_to(row->number, any->number);
  if (old->longest_ns >= any->longest_ns) {
    row->longest_ns = raise_to(row->longest_ns, any->longest_ns);
  }
}

/* Whether a lock may have more waits than these figures, in a sum of several locks. */
static bool lacks_waits(const struct renewal *r, const struct figure *largest) {
  bool lacks = false;
  for (size_t i = 0; i < r->num; i++) lacks |= figures_is_least(&r->runs[i], largest);
  return lacks;
}

/* The new limit. If waits may lack, it is only ever larger than the old one. */
static uint64_t renew_limit(uint64_t old, uint64_t largest, uint64_t suggested, bool lacks) {
  return still_fits(old, largest, suggested) || (lacks && suggested < old) ? old : suggested;
}

/* The row of a lock that has one: as it is, with new limits, or none. */
static bool renew_lock(struct renewal *r, const struct budget_row *row,
                       const struct budget_row *any) {
  struct budget_row copy = *row;
  struct largest largest;
  bool was_loose = any != NULL && allows_more(row, any);
  bool is_found = find_largest(r, BUDGET_LOCK, row->key, &largest);
  bool lacks = lacks_waits(r, &largest.found);
  if (!is_found) return (was_loose && !lacks) || budget_add(r->out, row);
  copy.number = suggest(largest.found.number);
  copy.longest_ns = suggest_ns(largest.found.longest_ns);
  raise_to_any(&copy, row, any);
  if (was_loose && !lacks && !allows_more(&copy, any)) return true;
  copy.number = renew_limit(row->number, largest.idle.number, copy.number, lacks);
  copy.longest_ns = renew_limit(row->longest_ns, largest.idle.longest_ns, copy.longest_ns, lacks);
  return budget_add(r->out, &copy);
}

/* Locks without a row, for which the row of all locks is not enough. */
static bool add_locks(struct renewal *r, const struct budget_row *any) {
  for (size_t i = 0; i < r->num; i++) {
    for (size_t k = 0; k < r->runs[i].num; k++) {
      const struct figure *figure = &r->runs[i].rows[k];
      struct largest largest;
      if (figure->kind != BUDGET_LOCK) continue;
      if (budget_find(r->out, BUDGET_LOCK, figure->key) != NULL) continue;
      if (budget_find(r->old, BUDGET_LOCK, figure->key) != NULL) continue;
      find_largest(r, BUDGET_LOCK, figure->key, &largest);
      struct budget_row row = {.kind = BUDGET_LOCK,
                               .key = figure->key,
                               .number = suggest(largest.found.number),
                               .longest_ns = suggest_ns(largest.found.longest_ns)};
      if (!allows_more(&row, any)) continue;
      row.number = raise_to(row.number, any->number);
      row.longest_ns = raise_to(row.longest_ns, any->longest_ns);
      if (!budget_add(r->out, &row)) return false;
    }
  }
  return true;
}

/* --- all ---------------------------------------------------------------------------------- */

static bool renew_row(struct renewal *r, const struct budget_row *row,
                      const struct budget_row *any) {
  switch (budget_kinds[row->kind].form) {
    case FORM_KNOWN:
      return keep_known(r, row);
    case FORM_COUNT:
      return renew_count(r, row);
    case FORM_SHARE:
      return renew_share(r, row);
    default:
      return row == any ? budget_add(r->out, row) : renew_lock(r, row, any);
  }
}

/* What a first file begins with. */
static bool make_first(struct budget *b) {
  struct budget_row share = {.kind = BUDGET_BLOCKED, .key = (char[]){""}, .number = SMALL_SHARE};
  struct budget_row any = {.kind = BUDGET_LOCK,
                           .key = (char[]){BUDGET_ANY_LOCK},
                           .number = FEW_WAITS,
                           .longest_ns = SHORT_WAIT_NS};
  b->header = strdup(new_header);
  return b->header != NULL && budget_add(b, &share) && budget_add(b, &any);
}

/* Puts the comments of a file without budgets into the first budgets. */
static bool take_comments(struct budget *first, const struct budget *old) {
  if (old->header != NULL) {
    free(first->header);
    first->header = strdup(old->header);
  }
  if (old->footer != NULL) first->footer = strdup(old->footer);
  return first->header != NULL && (old->footer == NULL || first->footer != NULL);
}

static bool copy_comments(struct budget *out, const struct budget *old) {
  if (old->header != NULL) out->header = strdup(old->header);
  if (old->footer != NULL) out->footer = strdup(old->footer);
  return (old->header == NULL || out->header != NULL) &&
         (old->footer == NULL || out->footer != NULL);
}

static bool renew(struct renewal *r, bool accepts) {
  const struct budget_row *any = budget_find(r->old, BUDGET_LOCK, BUDGET_ANY_LOCK);
  if (!copy_comments(r->out, r->old)) return false;
  for (size_t i = 0; i < r->old->num; i++) {
    if (!renew_row(r, &r->old->rows[i], any)) return false;
  }
  if (accepts && !accept_problems(r)) return false;
  if (any != NULL && !add_locks(r, any)) return false;
  budget_sort(r->out);
  return true;
}

bool renewal_make(struct budget *out, const struct budget *old, const struct figures *runs,
                  size_t num, bool accepts) {
  struct budget first = {0};
  bool is_first = old->num == 0;
  bool good = !is_first || (make_first(&first) && take_comments(&first, old));
  struct renewal r = {out, is_first ? &first : old, runs, num, is_first};
  good = good && renew(&r, accepts);
  budget_free(&first);
  return good;
}
