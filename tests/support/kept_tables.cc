// A table that a set has outgrown is kept for good, as a reader may still be in it (intern.h).
// Nothing points to it any more, and it is no leak.
extern "C" const char *__lsan_default_suppressions();
extern "C" const char *__lsan_default_suppressions() { return "leak:ck_hs_map_create\n"; }
