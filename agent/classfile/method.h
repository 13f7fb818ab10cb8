#pragma once
/* Weaves one method: reads its Code attribute and writes the woven one. */
#include "agent/base/extern_c.h"
#include "agent/classfile/hook_code.h"
#include "agent/classfile/pool.h"
#include "agent/classfile/weave.h"

BEGIN_C

struct method {
  struct span class_name, name, descriptor;
  struct span code; /* the body of its Code attribute */
  bool is_static, is_synchronized;
  bool has_super;      /* its class has a superclass; false only for java.lang.Object */
  bool has_frames;     /* its class is verified with stack map frames */
  bool has_class;      /* its class file is new enough to load a class as a constant */
  uint32_t this_class; /* its class's number in the constant pool */
};

/* method_is_special tells whether it is a constructor or a class initializer. */
bool method_is_special(const struct method *m);

/* method_put appends the body of the woven Code attribute to `out`. Returns WEAVE_WOVEN or the
   reason for the failure; then the caller must discard what was appended. */
enum weave_status method_put(const struct method *m, const struct weave_hooking *hooking,
                             struct hook_methods *hooks, struct pool *pool, struct builder *out);

END_C
