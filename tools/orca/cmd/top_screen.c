#include "tools/orca/cmd/top_screen.h"

#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "agent/base/log.h"
#include "tools/orca/cmd/commands.h"

#define STEP_MS 1000
#define HEAD_LINES 4  /* at least, with an empty line */
#define TABLE_LINES 3 /* of a table without its rows */

enum panel { PANEL_LOCKS, PANEL_METHODS, PANEL_BLOCKED, NUM_PANELS };

struct screen {
  struct follow *follow;
  size_t window;
  enum panel panel;
  size_t selected[NUM_PANELS];
  enum top_sort sort;
  bool is_frozen; /* at the second `at` */
  uint64_t at;
  enum { OPEN_NONE, OPEN_LOCK, OPEN_THREAD, OPEN_HELP } open;
  uint32_t opened; /* index of the lock, or hash of the thread */
  size_t num_rows; /* of the selected panel */
  int result;
  /* What each row of the selected panel would open, as of the last drawing. */
  uint32_t *targets;
};

static const char keys[] =
    "q quit   h keys   Tab or l m b: locks, methods, blocked   arrows, Enter: open   s sort   "
    "Space freeze";

static const char help[] =
    "\n"
    "  l, m, b, Tab   go to the locks, the methods, the blocked threads, the next table\n"
    "  Up, Down       select a row; Enter opens a lock or a thread, Backspace goes back\n"
    "  s              sort the locks by blocked time or by the number of waits, short ones too\n"
    "  Space          freeze; again: go on\n"
    "  Left, Right    go back or forth by a second; PageUp, PageDown by a minute\n"
    "  +, -           a longer or shorter window\n"
    "  h              these keys; q ends\n";

/* --- drawing ---------------------------------------------------------------------------------- */

static void draw_line(int y, struct span line, int attributes) {
  if (y >= LINES - 1) return;
  attrset(attributes);
  mvaddnstr(y, 0, line.data, (int)line.len);
  attrset(A_NORMAL);
}

/* Draws text below line `y`. The line `marked` of it is the selected row; -1: none. Returns the
   line after it. */
static int draw_text(int y, const struct builder *b, int marked) {
  struct span rest = {b->data, b->len}, line;
  for (int i = 0; rest.len > 0 && span_cut(&rest, '\n', &line); i++, y++)
    draw_line(y, line, i == marked ? A_REVERSE : A_NORMAL);
  return y;
}

static void start_page(struct page *p) {
  page_start(p, -1, FORMAT_TEXT, true);
  p->style.width = COLS > 20 ? (size_t)COLS : 20;
  p->has_whole_names = false;
}

/* `head`: lines that the head has. */
static size_t table_rows_that_fit(int head) {
  if (head < HEAD_LINES) head = HEAD_LINES;
  int left = LINES - 1 - head - NUM_PANELS * TABLE_LINES;
  return left > NUM_PANELS * 2 ? (size_t)(left / NUM_PANELS) : 2;
}

typedef void put_panel(struct page *p, const struct view_top *v);
static put_panel *const panels[NUM_PANELS] = {view_top_locks, view_top_methods, view_top_blocked};

/* Notes what the rows of the selected panel open. */
static void note_targets(struct screen *s, const struct view_top *v) {
  const struct window *w = v->window;
  size_t num = s->panel == PANEL_LOCKS     ? w->num_locks
               : s->panel == PANEL_METHODS ? w->cpu.num_methods
                                           : w->last->num_blocked;
  s->num_rows = 0;
  free(s->targets);
  s->targets = calloc(v->rows + 1, sizeof *s->targets);
  for (size_t i = 0; s->targets != NULL && i < num && s->num_rows < v->rows; i++) {
    if (s->panel == PANEL_BLOCKED && live_lock_is_signal(v->live, w->last->blocked[i].lock))
      continue;
    if (s->panel == PANEL_METHODS && w->cpu.methods[i].self_ns == 0) continue;
    if (s->panel == PANEL_LOCKS) s->targets[s->num_rows] = w->locks[i].lock;
    if (s->panel == PANEL_BLOCKED) s->targets[s->num_rows] = w->last->blocked[i].thread;
    s->num_rows++;
  }
  size_t *selected = &s->selected[s->panel];
  if (*selected >= s->num_rows) *selected = s->num_rows > 0 ? s->num_rows - 1 : 0;
}

static int draw_panel(struct screen *s, const struct view_top *v, enum panel panel, int y) {
  struct page p;
  start_page(&p);
  panels[panel](&p, v);
  if (panel == s->panel) note_targets(s, v);
  bool is_marked = panel == s->panel && s->num_rows > 0;
  y = draw_text(y, &p.out, is_marked ? TABLE_LINES + (int)s->selected[panel] : -1);
  page_free(&p);
  return y;
}

static void draw_opened(struct screen *s, struct view_top *v, int y) {
  struct page p;
  start_page(&p);
  v->rows = LINES > 20 ? (size_t)LINES - 16 : 4;
  if (s->open == OPEN_LOCK) view_top_lock(&p, v, s->opened);
  if (s->open == OPEN_THREAD) view_top_thread(&p, v, s->opened);
  if (s->open == OPEN_HELP) builder_string(&p.out, help);
  draw_text(y, &p.out, -1);
  page_free(&p);
}

static void draw_foot(const struct screen *s) {
  const char *state = s->is_frozen                          ? "[frozen] "
                      : s->follow->state == FOLLOW_ENDED    ? "[the recording has ended] "
                      : s->follow->state == FOLLOW_REPLACED ? "[another recording began] "
                                                            : "";
  attrset(A_BOLD);
  mvaddnstr(LINES - 1, 0, state, COLS);
  attrset(A_NORMAL);
  addnstr(keys, COLS - (int)strlen(state) - 1);
}

static bool draw_window(struct screen *s, struct window *w) {
  struct view_top view = {
      .live = &s->follow->live, .window = w, .is_now = !s->is_frozen, .sort = s->sort};
  struct page p;
  start_page(&p);
  bool good = view_top_head(&p, &view);
  int y = draw_text(0, &p.out, -1);
  page_free(&p);
  view.rows = table_rows_that_fit(y);
  if (s->open != OPEN_NONE) {
    draw_opened(s, &view, y);
  } else {
    for (int i = 0; i < NUM_PANELS; i++) y = draw_panel(s, &view, (enum panel)i, y);
  }
  return good;
}

static bool draw(struct screen *s) {
  const struct live *l = &s->follow->live;
  struct window w = {0};
  bool good = true;
  erase();
  if (l->num_seconds == 0) {
    mvaddstr(0, 0, "Waiting for the first second of the recording.");
  } else {
    if (!s->is_frozen) s->at = l->num_seconds - 1;
    if (live_second(l, s->at) == NULL) s->at = l->num_seconds - 1; /* too old by now */
    good = window_read(&w, l, s->at, s->window) && draw_window(s, &w);
    window_free(&w);
  }
  draw_foot(s);
  refresh();
  return good;
}

/* --- keys ------------------------------------------------------------------------------------- */

static void open_selected(struct screen *s) {
  bool has_row = s->targets != NULL && s->num_rows > 0;
  if (!has_row || s->panel == PANEL_METHODS || s->open != OPEN_NONE) return;
  s->opened = s->targets[s->selected[s->panel]];
  s->open = s->panel == PANEL_LOCKS ? OPEN_LOCK : OPEN_THREAD;
}

static void go(struct screen *s, int64_t seconds) {
  const struct live *l = &s->follow->live;
  if (l->num_seconds == 0) return;
  int64_t last = (int64_t)l->num_seconds - 1,
          first = last < LIVE_SECONDS ? 0 : last - LIVE_SECONDS + 1;
  int64_t at = (int64_t)s->at + seconds;
  s->at = (uint64_t)(at < first ? first : at > last ? last : at);
  s->is_frozen = true;
}

/* False: the user quits. */
static bool handle_key(struct screen *s, int key) {
  size_t *selected = &s->selected[s->panel];
  switch (key) {
    case 'q':
      return false;
    case 'h':
    case '?':
      s->open = s->open == OPEN_HELP ? OPEN_NONE : OPEN_HELP;
      break;
    case 'l':
    case 'm':
    case 'b':
      s->panel = key == 'l' ? PANEL_LOCKS : key == 'm' ? PANEL_METHODS : PANEL_BLOCKED;
      s->open = OPEN_NONE;
      break;
    case '\t':
      s->panel = (enum panel)((s->panel + 1) % NUM_PANELS);
      s->open = OPEN_NONE;
      break;
    case KEY_UP:
      if (*selected > 0) --*selected;
      break;
    case KEY_DOWN:
      if (*selected + 1 < s->num_rows) ++*selected;
      break;
    case '\n':
    case KEY_ENTER:
      open_selected(s);
      break;
    case 27: /* Escape */
    case KEY_BACKSPACE:
    case 127:
      s->open = OPEN_NONE;
      break;
    case 's':
      s->sort = (enum top_sort)((s->sort + 1) % NUM_TOP_SORTS);
      break;
    case ' ':
      s->is_frozen = !s->is_frozen;
      break;
    case KEY_LEFT:
    case KEY_RIGHT:
      go(s, key == KEY_LEFT ? -1 : 1);
      break;
    case KEY_PPAGE:
    case KEY_NPAGE:
      go(s, key == KEY_PPAGE ? -60 : 60);
      break;
    case 'L' & 0x1f: /* Ctrl-L: another program has written to the terminal */
      clearok(curscr, TRUE);
      break;
    case '+':
      if (s->window < LIVE_SECONDS) s->window *= 2;
      break;
    case '-':
      if (s->window > 1) s->window /= 2;
      break;
    default:
      break;
  }
  return true;
}

static bool step(struct screen *s) {
  int key = getch();
  if (key == ERR && follow_step(s->follow) == FOLLOW_NO_MEMORY) return false;
  if (key != ERR && !handle_key(s, key)) {
    s->result = DONE;
    return false;
  }
  return draw(s);
}

int top_screen_run(struct follow *f, size_t window) {
  struct screen s = {.follow = f, .window = window, .result = WRONG};
  setlocale(LC_ALL, "");
  if (initscr() == NULL) return WRONG; /* it has printed why */
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  curs_set(0);
  set_escdelay(50);
  timeout(STEP_MS);
  bool good = follow_step(f) != FOLLOW_NO_MEMORY && draw(&s);
  while (good) good = step(&s);
  endwin();
  free(s.targets);
  if (s.result != DONE) log_line("top: out of memory");
  return s.result;
}
