#include "agent/track/selection.h"

#include <string.h>

#include "agent/event/event.h"
#include "agent/tracked/orca_classes.h"

#define MAX_NAME 1024 /* bytes; the rest of a longer name is ignored */
#define ACC_SYNCHRONIZED 0x0020
#define ACC_NATIVE 0x0100

/* The patterns in force; "" selects nothing. */
static const char *get_methods(const struct options *o) {
  return (o->events >> GROUP_METHOD & 1) != 0 ? o->text[OPTION_track] : "";
}

static const char *get_monitors(const struct options *o) {
  bool is_on = o->monitors == MONITORS_ALL && (o->events >> GROUP_MONITOR & 1) != 0;
  return is_on ? o->text[OPTION_filter] : "";
}

void selection_read(struct selection *out, const struct options *o) {
  *out = (struct selection){0};
  if (*get_methods(o) != '\0') patterns_parse(get_methods(o), &out->methods);
  if (*get_monitors(o) != '\0') patterns_parse(get_monitors(o), &out->monitors);
}

bool selection_differs(const struct options *a, const struct options *b) {
  return strcmp(get_methods(a), get_methods(b)) != 0 ||
         strcmp(get_monitors(a), get_monitors(b)) != 0;
}

/* A name as in Java source: with dots instead of slashes. */
struct name {
  char text[MAX_NAME];
  size_t len;
};

static void put_dotted(struct name *n, struct span s) {
  for (size_t i = 0; i < s.len && n->len < MAX_NAME; i++) {
    n->text[n->len++] = s.data[i] == '/' ? '.' : s.data[i];
  }
}

static struct span get_span(const struct name *n) { return (struct span){n->text, n->len}; }

/* --- classes --------------------------------------------------------------------------------- */

/* Returns the first part of a class's name, with its dot: "java." */
static struct span get_root(const struct name *n) {
  const char *dot = memchr(n->text, '.', n->len);
  return (struct span){n->text, dot == NULL ? n->len : (size_t)(dot - n->text) + 1};
}

static bool may_match(const struct patterns *p, const struct name *class, struct span prefix,
                      bool is_boot) {
  return p->num > 0 && patterns_may_match(p, prefix) &&
         (!is_boot || patterns_have_literal_prefix(p, get_root(class)));
}

bool selection_has_class(const struct selection *s, struct span name, bool is_boot) {
  struct name class = {.len = 0};
  if (s->methods.num + s->monitors.num == 0 || orca_classes_have(name)) return false;
  put_dotted(&class, name);
  struct name members = class;
  put_dotted(&members, (struct span){".", 1});
  return may_match(&s->methods, &class, get_span(&members), is_boot) ||
         may_match(&s->monitors, &class, get_span(&class), is_boot);
}

/* --- methods --------------------------------------------------------------------------------- */

/* Does the method or its class have the annotation? `annotation` is spelled "javax.ws.rs.GET";
   class files spell it "Ljavax/ws/rs/GET;". */
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
  return weave_method_has_annotation(m, type) || weave_class_has_annotation(m, type);
}

static bool has_class_annotation(void *arg, struct span annotation) {
  struct weave_method class_alone = *(const struct weave_method *)arg;
  class_alone.annotations = (struct span){NULL, 0};
  return has_annotation(&class_alone, annotation);
}

bool selection_get_hooking(const struct selection *s, const struct weave_method *method,
                           struct weave_hooking *hooking) {
  struct name class = {.len = 0};
  put_dotted(&class, method->class_name);
  struct name full_name = class;
  put_dotted(&full_name, (struct span){".", 1});
  put_dotted(&full_name, method->name);
  void *arg = (void *)method;
  bool has_calls = !span_is(method->name, "<clinit>") &&
                   patterns_match(&s->methods, get_span(&full_name), has_annotation, arg);
  /* A native method has no monitorenter, but may be `synchronized`. */
  bool can_use_monitors =
      (method->access & ACC_NATIVE) == 0 || (method->access & ACC_SYNCHRONIZED) != 0;
  bool has_monitors =
      can_use_monitors && patterns_match(&s->monitors, get_span(&class), has_class_annotation, arg);
  if (has_calls) {
    hooking->enter = ENTER_NULL;
    hooking->exit = EXIT_PLAIN;
  }
  hooking->id = SELECTED_ID;
  hooking->monitors = has_monitors;
  return has_calls || has_monitors;
}
