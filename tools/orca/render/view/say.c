#include "tools/orca/render/view/say.h"

#include <string.h>

#include "tools/orca/model/periods.h"
#include "tools/orca/render/unit.h"

/* Names of threads stay as they are, but the word before them begins a sentence (name_threads). */
static void begin_sentences(struct builder *b, size_t from) {
  static const char words[] = "threads, mostly ";
  for (size_t at = from; !b->failed && at + sizeof words - 1 <= b->len; at++) {
    bool begins = at == from || (at >= from + 2 && memcmp(b->data + at - 2, ". ", 2) == 0);
    if (begins && memcmp(b->data + at, words, sizeof words - 1) == 0) b->data[at] = 'T';
  }
}

static void put_finding(struct builder *b, const struct finding *finding) {
  switch (finding->kind) {
#define PART(id)
#define FINDING(id, key, rank) \
  case FINDING_##id:           \
    say_##id(b, finding->row); \
    break;
#define FIELD(id, type, name)
#define ROWS(id, name, part)
#define END(id)
#include "tools/orca/answer/finding.def"
#undef PART
#undef FINDING
#undef FIELD
#undef ROWS
#undef END
    default: /* a part */
      break;
  }
}

void say_finding(struct builder *b, const struct finding *finding) {
  size_t from = b->len;
  put_finding(b, finding);
  begin_sentences(b, from);
}

void say_at(struct builder *b, const struct named_place *place) {
  builder_format(b, " at %s", place->text == NULL ? "an unknown place" : place->text);
}

void say_the_lock(struct builder *b, const struct named_lock *lock) {
  builder_format(b, "%s%s",
                 lock->is_described ? "the "
                 : lock->is_class   ? "the lock of "
                                    : "",
                 lock->text == NULL ? "an unknown lock" : lock->text);
}

void say_shares(struct builder *b, const struct found_rows *shares, uint64_t more, uint64_t whole) {
  const struct found_share *rows = shares->rows;
  for (size_t i = 0; i < shares->num; i++) {
    builder_format(b, "%s%s", i == 0 ? "" : ", ",
                   rows[i].name == NULL ? "an unknown place" : rows[i].name);
    if (shares->num + more > 1) builder_format(b, " %s", UNIT_SHARE(rows[i].part, whole));
  }
  if (more > 0) builder_format(b, ", %s more", UNIT_COUNT(more));
}

void say_share(struct builder *b, const struct found_share *f) {
  builder_format(b, "%s %s", f->name, UNIT_COUNT(f->part));
}

/* --- wake-ups and virtual threads ------------------------------------------------------------ */

static double divide(uint64_t part, uint64_t whole) {
  uint64_t tenths = whole == 0 ? 0 : (part * 10 + whole / 2) / whole;
  return (double)tenths / 10;
}

void say_useless_wakeups(struct builder *b, const struct found_useless_wakeups *f) {
  builder_format(b,
                 "%s on %s woke %.1f threads per call, of which %s%.1f could go on: %s of the "
                 "wake-ups were useless (%s%s of %s went straight back to waiting),",
                 f->signal, f->object, divide(f->wakeups, f->calls),
                 f->useless_is_least ? "at most " : "", divide(f->wakeups - f->useless, f->calls),
                 UNIT_SHARE(f->useless, f->wakeups), f->useless_is_least ? "at least " : "",
                 UNIT_COUNT(f->useless), UNIT_COUNT(f->wakeups));
  say_at(b, &f->place);
  builder_char(b, '.');
}

void say_unfair(struct builder *b, const struct found_unfair *f) {
  builder_format(b, "Unfair: of %s threads that waited on %s", UNIT_COUNT(f->threads), f->object);
  say_at(b, &f->place);
  builder_format(b, ", %s got through ", f->luckiest);
  unit_many(b, f->most, "time", "times");
  builder_format(b, ", %s ", f->unluckiest);
  unit_many(b, f->least, "time", "times");
  builder_format(b, " (it waited up to %s).", UNIT_TIME(f->longest));
}

void say_pinned(struct builder *b, const struct found_pinned *f) {
  builder_string(b, "Virtual threads were pinned ");
  unit_many(b, f->times, "time", "times");
  builder_string(b, ", which also blocks their carrier threads: at ");
  say_shares(b, &f->places, f->more_places, f->whole);
  builder_char(b, '.');
}

/* --- periods ---------------------------------------------------------------------------------- */

static enum period_limit find_limit(const char *key) {
  int i = 0;
  while (i < NUM_PERIOD_LIMITS - 1 && (key == NULL || strcmp(period_limit_keys[i], key) != 0)) i++;
  return (enum period_limit)i;
}

static void put_threads(struct builder *b, double num, const char *one, const char *many) {
  bool is_one = num > 0.95 && num < 1.05;
  builder_format(b, "%.1f %s", num, is_one ? one : many);
}

/* "no Java thread … for at least 93 % of the time": threads can be busy at the same moments, so
   there may be more. */
static void put_rest(struct builder *b, const struct found_period *p) {
  if (p->quiet >= 0.995) {
    builder_string(b, "hardly any Java thread ran, was blocked or was in I/O");
    return;
  }
  builder_format(b,
                 "no Java thread ran, was blocked or was in I/O for at least %.0f %% of the time",
                 100 * p->quiet);
}

/* "0.98 of 2 CPUs were used", "0.98 CPUs were used" */
static void put_used(struct builder *b, const struct found_period *p, double cpus,
                     const char *separator) {
  if (!p->used_is_known) return;
  builder_format(b, "%s%.2f ", separator, p->used);
  if (cpus > 0) builder_format(b, "of %g ", cpus);
  builder_string(b, "CPUs were used");
}

/* What the period is about, with the figures that say so. */
static void put_limit(struct builder *b, const struct found_period *p, double cpus) {
  switch (find_limit(p->limit)) {
    case PERIOD_LIMIT_PAUSES:
      builder_format(b, "the garbage collector stopped the program for %.0f %% of the time",
                     100 * p->paused);
      break;
    case PERIOD_LIMIT_CPUS:
      builder_string(b, "its CPUs were full");
      put_used(b, p, cpus, ": ");
      break;
    case PERIOD_LIMIT_CROWD:
      put_threads(b, p->ready, "thread was ready to run or ran",
                  "threads were ready to run or ran");
      builder_string(b, ", more than the CPUs that it may use");
      put_used(b, p, cpus, "; ");
      break;
    case PERIOD_LIMIT_STARVED:
      put_threads(b, p->queued, "thread waited for a CPU", "threads waited for a CPU");
      put_used(b, p, cpus, ", ");
      break;
    case PERIOD_LIMIT_LOCK:
      put_threads(b, p->blocked, "thread was blocked", "threads were blocked");
      break;
    case PERIOD_LIMIT_IO:
      put_threads(b, p->io, "thread was in I/O", "threads were in I/O");
      break;
    case PERIOD_LIMIT_REST:
      put_rest(b, p);
      break;
    default:
      put_threads(b, p->ready, "thread ran or was ready to run",
                  "threads ran or were ready to run");
      put_used(b, p, cpus, ", ");
      break;
  }
}

static void put_lock(struct builder *b, const struct found_period *p) {
  if (p->lock.text == NULL) return;
  builder_string(b, ", mostly for ");
  say_the_lock(b, &p->lock);
}

/* The lock has a sentence of its own, with its places. */
static void put_place(struct builder *b, const struct found_period *p) {
  enum period_limit limit = find_limit(p->limit);
  bool has_lock = limit == PERIOD_LIMIT_LOCK && p->lock.text != NULL;
  if (has_lock) put_lock(b, p);
  if (has_lock || p->place.text == NULL) return;
  builder_string(b, limit == PERIOD_LIMIT_REST ? "; threads slept or waited mostly" : ", mostly");
  say_at(b, &p->place);
}

/* Blocked threads are worth a word if something else is the limit, too. */
static void put_blocked(struct builder *b, const struct found_period *p) {
  if (find_limit(p->limit) == PERIOD_LIMIT_LOCK || !p->are_blocked) return;
  builder_string(b, ", and ");
  put_threads(b, p->blocked, "thread was blocked", "threads were blocked");
  put_lock(b, p);
}

void say_period_more(struct builder *b, const struct found_period *p) {
  put_place(b, p);
  put_blocked(b, p);
}

static void put_period(struct builder *b, const struct found_period *p, double cpus) {
  builder_format(b, "from %s to ", UNIT_TIME(p->begin));
  builder_format(b, "%s ", UNIT_TIME(p->end));
  put_limit(b, p, cpus);
  say_period_more(b, p);
}

void say_period(struct builder *b, const struct found_period *f) { put_period(b, f, 0); }

void say_periods(struct builder *b, const struct found_periods *f) {
  const struct found_period *periods = f->periods.rows;
  builder_format(b, "The program's limit changed; averages of its %zu periods: ", f->periods.num);
  for (size_t i = 0; i < f->periods.num; i++) {
    if (i > 0) builder_string(b, "; ");
    put_period(b, &periods[i], f->cpus);
  }
  builder_char(b, '.');
}

/* --- places with many events ------------------------------------------------------------------ */

static void put_remedy(struct builder *b, const char *remedy) {
  if (strcmp(remedy, "track") == 0) {
    builder_string(b, "A pattern with ! in the option track leaves this method out.");
  } else if (strcmp(remedy, "monitors=contended") == 0) {
    builder_string(b,
                   "The option monitors=contended leaves out the monitors that no thread has to "
                   "wait for; the option filter chooses classes.");
  } else if (strcmp(remedy, "locks=waits") == 0) {
    builder_string(b, "The option locks=waits only counts the acquisitions that need not wait.");
  } else {
    builder_format(b, "The option %s leaves out these events.", remedy);
  }
}

void say_many_events(struct builder *b, const struct found_many_events *f) {
  builder_format(b, "Many events: %s", f->event);
  if (f->place.text != NULL) say_at(b, &f->place);
  builder_format(b, " made %s events a second, %s of all, which slows these calls. ",
                 UNIT_COUNT(f->per_second), UNIT_SHARE(f->count, f->whole));
  if (f->remedy != NULL) put_remedy(b, f->remedy);
}

void say_unasked(struct builder *b, const struct found_unasked *f) {
  if (f->unnamed > 0) {
    builder_format(b,
                   "When the recording began, %s virtual %s blocked on a monitor. It is not known "
                   "on which: before JDK 25, the JVM does not tell it.",
                   UNIT_COUNT(f->unnamed), f->unnamed == 1 ? "thread was" : "threads were");
  }
  if (f->unnamed > 0 && f->skipped > 0) builder_char(b, ' ');
  if (f->skipped > 0) {
    builder_format(b,
                   "There was no time to ask %s %s what %s waited for when the recording began; "
                   "calls that began before it are missing.",
                   UNIT_COUNT(f->skipped), f->skipped == 1 ? "thread" : "threads",
                   f->skipped == 1 ? "it" : "they");
  }
}
