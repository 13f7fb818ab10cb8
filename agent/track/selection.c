#include "agent/track/selection.h"

#include <string.h>

#include "agent/event/event.h"
#include "agent/track/our_names.h"

#define MAX_NAME 1024 /* of a longer one the rest is not looked at */
#define ACC_SYNCHRONIZED 0x0020
#define ACC_NATIVE 0x0100

void selection_read(struct selection *out, const struct options *o) {
  *out = (struct selection){0};
  bool calls = o->track && (o->events >> GROUP_METHOD & 1) != 0;
  bool monitors = o->monitors == MONITORS_ALL && (o->events >> GROUP_MONITOR & 1) != 0;
  if (calls) patterns_parse(o->text[OPTION_track], &out->methods);
  if (monitors) patterns_parse(o->text[OPTION_filter], &out->monitors);
}

/* A name as in Java: dots for slashes. What stands behind it follows. */
struct name {
  char text[MAX_NAME];
  size_t len;
};

static void put_dotted(struct name *n, struct span s) {
  for (size_t i = 0; i < s.len && n->len < MAX_NAME; i++) {
    n->text[n->len++] = s.data[i] == '/' ? '.' : s.data[i];
  }
}

static struct span span_of(const struct name *n) { return (struct span){n->text, n->len}; }

/* --- classes --------------------------------------------------------------------------------- */

/* The first word of a class's name, with its dot: "java." */
static struct span root_of(const struct name *n) {
  const char *dot = memchr(n->text, '.', n->len);
  return (struct span){n->text, dot == NULL ? n->len : (size_t)(dot - n->text) + 1};
}

static bool may_choose(const struct patterns *p, const struct name *class, struct span prefix,
                       bool is_boot) {
  return p->num > 0 && patterns_may_choose(p, prefix) &&
         (!is_boot || patterns_mean(p, root_of(class)));
}

static bool is_ours(struct span name) {
  return span_is(name, OUR_BOOT) || span_is(name, OUR_HOOK) || span_is(name, OUR_LOCKS);
}

bool selection_has_class(const struct selection *c, struct span name, bool is_boot) {
  struct name class = {.len = 0};
  if (c->methods.num + c->monitors.num == 0 || is_ours(name)) return false;
  put_dotted(&class, name);
  struct name members = class;
  put_dotted(&members, (struct span){".", 1});
  return may_choose(&c->methods, &class, span_of(&members), is_boot) ||
         may_choose(&c->monitors, &class, span_of(&class), is_boot);
}

/* --- methods --------------------------------------------------------------------------------- */

/* "javax.ws.rs.GET" as a class file has it: "Ljavax/ws/rs/GET;". */
static bool has_annotation(void *arg, struct span annotation) {
  const struct weave_method *m = arg;
  char type[MAX_NAME];
  if (annotation.len + 3 > sizeof type) return false;
  size_t len = 0;
  type[len++] = 'L';
  for (size_t i = 0; i < annotation.len; i++) {
    type[len++] = annotation.data[i] == '.' ? '/' : annotation.data[i];
  }
  type[len++] = ';';
  type[len] = '\0';
  return weave_method_annotated(m, type) || weave_class_annotated(m, type);
}

static bool has_class_annotation(void *arg, struct span annotation) {
  struct weave_method class_alone = *(const struct weave_method *)arg;
  class_alone.annotations = (struct span){NULL, 0};
  return has_annotation(&class_alone, annotation);
}

/* It has no code that could enter one, but may hold one. */
static bool has_monitors(const struct weave_method *m) {
  return (m->access & ACC_NATIVE) == 0 || (m->access & ACC_SYNCHRONIZED) != 0;
}

static bool is_class_initializer(const struct weave_method *m) {
  return span_is(m->name, "<clinit>");
}

bool selection_method(const struct selection *c, const struct weave_method *method,
                      struct weave_hooking *hooking) {
  struct name class = {.len = 0};
  put_dotted(&class, method->class_name);
  struct name whole = class;
  put_dotted(&whole, (struct span){".", 1});
  put_dotted(&whole, method->name);
  void *arg = (void *)method;
  bool call = !is_class_initializer(method) &&
              patterns_choose(&c->methods, span_of(&whole), has_annotation, arg);
  bool monitors = has_monitors(method) &&
                  patterns_choose(&c->monitors, span_of(&class), has_class_annotation, arg);
  if (call) {
    hooking->enter = ENTER_NULL;
    hooking->exit = EXIT_PLAIN;
  }
  hooking->id = CHOSEN_ID;
  hooking->monitors = monitors;
  return call || monitors;
}
