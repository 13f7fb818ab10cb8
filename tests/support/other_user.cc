#include "tests/support/other_user.h"

#include <sys/types.h>

extern "C" {
uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);
}

namespace {
uid_t offset = 0;
}

OtherUser::OtherUser() { offset = 1; }
OtherUser::~OtherUser() { offset = 0; }

uid_t __wrap_geteuid(void) { return __real_geteuid() + offset; }
