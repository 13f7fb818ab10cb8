#pragma once
/* Weaves a list of methods of one class, and keeps the result of each. */
#include "agent/classfile/weave.h"

/* A request to weave one method, and its result. */
struct WeaveRequest {
  const char *name, *descriptor; /* "wait", "(J)V" */
  struct weave_hooking hooking;
  enum weave_status status;
};

struct WeaveRequests {
  WeaveRequest *requests;
  size_t num;

  WeaveRequest *Find(const struct weave_method &m) const {
    for (size_t i = 0; i < num; i++) {
      WeaveRequest *r = &requests[i];
      if (span_is(m.name, r->name) && span_is(m.descriptor, r->descriptor)) return r;
    }
    return nullptr;
  }

  void SetAll(enum weave_status status) {
    for (size_t i = 0; i < num; i++) requests[i].status = status;
  }
};

/* Weaves the requested methods and sets the status of each request. It is WEAVE_ABSENT if the class
   has no such method, and the result of weave_class if the whole class is refused. Returns that
   result. Allocates no memory itself. */
inline enum weave_status WeaveRequested(struct span class_file, const struct weave_hooks *hooks,
                                        WeaveRequest *requests, size_t num_requests,
                                        struct builder *out) {
  WeaveRequests list = {requests, num_requests};
  struct weave_chooser chooser = {
      [](void *context, const struct weave_method *m, struct weave_hooking *out_hooking) {
        const WeaveRequest *r = static_cast<WeaveRequests *>(context)->Find(*m);
        if (r != nullptr) *out_hooking = r->hooking;
        return r != nullptr;
      },
      [](void *context, const struct weave_method *m, enum weave_status status) {
        static_cast<WeaveRequests *>(context)->Find(*m)->status = status;
      },
      &list};
  list.SetAll(WEAVE_ABSENT);
  enum weave_status status = weave_class(class_file, hooks, &chooser, out);
  if (status != WEAVE_WOVEN && status != WEAVE_ABSENT) list.SetAll(status);
  return status;
}
