// Suppresses a false leak: when a set grows, its old table is never freed, since another thread may
// still read it (intern.h). No pointer to the old table remains.
extern "C" const char *__lsan_default_suppressions();
extern "C" const char *__lsan_default_suppressions() { return "leak:ck_hs_map_create\n"; }
