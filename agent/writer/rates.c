#include "agent/writer/rates.h"

#include "agent/base/clock.h"

void rates_init(struct rates *r) { pthread_mutex_init(&r->lock, NULL); }

void rates_begin(struct rates *r, uint64_t now_ns) {
  pthread_mutex_lock(&r->lock);
  r->last = r->looks[0] = (struct rates_look){.time_ns = now_ns};
  r->num = 1;
  pthread_mutex_unlock(&r->lock);
}

void rates_note(struct rates *r, const struct rates_look *totals) {
  pthread_mutex_lock(&r->lock);
  const struct rates_look *newest = &r->looks[(r->num - 1) % RATES_LOOKS];
  bool is_new = r->num == 0 || totals->time_ns >= newest->time_ns + NS_PER_S;
  if (is_new) r->looks[r->num++ % RATES_LOOKS] = *totals;
  r->last = *totals;
  pthread_mutex_unlock(&r->lock);
}

/* Returns the newest look before the window, or else the oldest one. */
static const struct rates_look *find_begin(const struct rates *r, uint64_t now_ns) {
  unsigned kept = r->num < RATES_LOOKS ? r->num : RATES_LOOKS;
  const struct rates_look *found = NULL;
  for (unsigned back = 1; back <= kept; back++) {
    found = &r->looks[(r->num - back) % RATES_LOOKS];
    if (now_ns >= found->time_ns + RATES_WINDOW_NS) break;
  }
  return found;
}

struct rates_span rates_read(struct rates *r, uint64_t now_ns) {
  struct rates_span span = {0, 0, 0, 0};
  pthread_mutex_lock(&r->lock);
  const struct rates_look *begin = find_begin(r, now_ns);
  if (begin != NULL && now_ns > begin->time_ns) {
    span = (struct rates_span){now_ns - begin->time_ns, r->last.events - begin->events,
                               r->last.samples - begin->samples, r->last.bytes - begin->bytes};
  }
  pthread_mutex_unlock(&r->lock);
  return span;
}
