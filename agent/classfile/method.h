#pragma once
/* One method with its hooks: a Code attribute in, a Code attribute out. */
#include "agent/classfile/hooks.h"
#include "agent/classfile/pool.h"
#include "agent/classfile/weave.h"

#ifdef __cplusplus
extern "C" {
#endif

struct method {
  struct span class_name, name, descriptor;
  struct span code; /* the body of its Code attribute */
  bool is_static, is_synchronized;
  bool has_super;      /* its class does: all but java.lang.Object */
  bool has_frames;     /* its class is verified with stack maps */
  bool has_class;      /* the code can have its class as a constant */
  uint32_t this_class; /* in the constant pool */
};

/* method_is_special: it is a constructor, or makes the class ready. */
bool method_is_special(const struct method *m);

/* method_put appends the body of the woven Code attribute. Anything but WEAVE_WOVEN: why not; what
   `out` has got then is of no use. */
enum weave_status method_put(const struct method *m, const struct weave_hooking *hooking,
                             struct hook_methods *hooks, struct pool *pool, struct builder *out);

#ifdef __cplusplus
}
#endif
