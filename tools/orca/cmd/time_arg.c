#include "tools/orca/cmd/time_arg.h"

#include <string.h>

#define DECIMALS 10
#define MAX_TICKS ((ticks_t)1 << 62) /* 14 years */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Parses a number with at most ten decimals and advances `*text`. The result is in units of 1e-10,
   which are ticks if the number is in seconds. */
static bool parse_decimal(const char **text, ticks_t *out) {
  const char *at = *text;
  ticks_t n = 0;
  int decimals = -1;
  for (; is_digit(*at) || (*at == '.' && decimals < 0); at++) {
    if (*at == '.') {
      decimals = 0;
      continue;
    }
    if (decimals == DECIMALS || n > MAX_TICKS / 10) return false;
    n = n * 10 + (ticks_t)(*at - '0');
    decimals += decimals >= 0;
  }
  if (at == *text || (at[-1] == '.')) return false;
  for (int i = decimals < 0 ? 0 : decimals; i < DECIMALS; i++) {
    if (n > MAX_TICKS / 10) return false;
    n *= 10;
  }
  *text = at;
  *out = n;
  return true;
}

static const struct {
  const char *name;
  uint64_t factor, divisor;
} units[] = {{"", 1, 1},         {"s", 1, 1},    {"ms", 1, 1000}, {"us", 1, 1000000},
             {"µs", 1, 1000000}, {"min", 60, 1}, {"h", 3600, 1}};

bool time_arg_duration(const char *text, ticks_t *out) {
  ticks_t n;
  if (!parse_decimal(&text, &n)) return false;
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (strcmp(units[i].name, text) != 0 || n > MAX_TICKS / units[i].factor) continue;
    *out = n * units[i].factor / units[i].divisor;
    return true;
  }
  return false;
}

static bool parse_share(const char *text, ticks_t *out) {
  ticks_t percent;
  if (!parse_decimal(&text, &percent) || strcmp(text, "%") != 0) return false;
  if (percent > 100 * TICKS_PER_S) return false;
  *out = percent / (TICKS_PER_S / 10000);
  return true;
}

/* Parses "23:38:05", with optional decimals, and advances `*text`. */
static bool parse_clock_time(const char **text, ticks_t *out) {
  const char *t = *text;
  ticks_t seconds;
  for (int i = 0; i < 5; i++) {
    if (i == 2 ? t[i] != ':' : !is_digit(t[i])) return false;
  }
  if (t[5] != ':' || !is_digit(t[6]) || !is_digit(t[7])) return false;
  uint64_t hours = (uint64_t)(t[0] - '0') * 10 + (uint64_t)(t[1] - '0');
  uint64_t minutes = (uint64_t)(t[3] - '0') * 10 + (uint64_t)(t[4] - '0');
  *text = t + 6;
  if (!parse_decimal(text, &seconds)) return false;
  *out = (hours * 3600 + minutes * 60) * TICKS_PER_S + seconds;
  return hours < 24 && minutes < 60 && seconds < 61 * TICKS_PER_S;
}

static bool parse_time_of_day(const char *text, ticks_t *out) {
  return parse_clock_time(&text, out) && *text == '\0';
}

static bool parse_stamp(const char *text, ticks_t *out) {
  return text_parse_ticks((struct span){text, strlen(text)}, out);
}

static bool parse_before_end(const char *text, ticks_t *out) {
  return text[0] == '-' && time_arg_duration(text + 1, out);
}

bool time_arg_read(const char *text, struct time_arg *out) {
  static const struct {
    enum time_arg_kind kind;
    bool (*read)(const char *, ticks_t *);
  } forms[] = {{TIME_STAMP, parse_stamp},
               {TIME_SHARE, parse_share},
               {TIME_OF_DAY, parse_time_of_day},
               {TIME_BEFORE_END, parse_before_end},
               {TIME_SINCE_START, time_arg_duration}};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    ticks_t ticks;
    if (!forms[i].read(text, &ticks)) continue;
    *out = (struct time_arg){forms[i].kind, ticks, text};
    return true;
  }
  return false;
}

/* Gets the time from the start of the recording to the first occurrence of this time of day. */
static bool get_time_since_start(const struct dump *d, ticks_t time_of_day, ticks_t *out) {
  struct span utc, day;
  char text[32];
  const char *rest = text;
  ticks_t start;
  const ticks_t one_day = 24 * 3600 * TICKS_PER_S;
  if (!dump_info(d, INFO_START_UTC, &utc) || !span_cut(&utc, 'T', &day)) return false;
  if (utc.data == NULL || utc.len >= sizeof text) return false;
  memcpy(text, utc.data, utc.len);
  text[utc.len] = '\0';
  if (!parse_clock_time(&rest, &start)) return false;
  *out = (time_of_day + one_day - start) % one_day;
  return true;
}

bool time_arg_resolve(const struct time_arg *t, const struct dump *d, ticks_t start, ticks_t end,
                      ticks_t *out) {
  ticks_t length = end - start, since = t->ticks;
  switch (t->kind) {
    case TIME_NONE:
    case TIME_SINCE_START:
      break;
    case TIME_BEFORE_END:
      since = t->ticks < length ? length - t->ticks : 0;
      break;
    case TIME_SHARE:
      since = (ticks_t)((long double)length * t->ticks / 1e6L);
      break;
    case TIME_OF_DAY:
      if (!get_time_since_start(d, t->ticks, &since)) return false;
      break;
    case TIME_STAMP:
      since = t->ticks > start ? t->ticks - start : 0;
      break;
  }
  *out = start + since;
  return true;
}
