/* Lets the agent of a release run with glibc 2.17 and later, though it was built with a newer one.
   For each function of old_glibc.def, the library contains a hidden one of the same name, which
   jumps to the old version of the C library's function. So the other files need no change.

   A JVM that loads the library has loaded libc.so.6 before; agent/BUILD names the other libraries
   that contain the functions in an old glibc. */
#if defined(__x86_64__)
#define VERSION(x86_64) "GLIBC_" x86_64
#define JUMP(symbol) "jmp *" symbol "@GOTPCREL(%rip)\n"
#define STAT_VERSION 1
#elif defined(__aarch64__)
#define VERSION(x86_64) "GLIBC_2.17"
#define JUMP(symbol)                 \
  "adrp x16, :got:" symbol           \
  "\n"                               \
  "ldr x16, [x16, :got_lo12:" symbol \
  "]\n"                              \
  "br x16\n"
#define STAT_VERSION 0
#else
#error "state the versions for this CPU"
#endif

#define OLD(function, x86_64) \
  __asm__(".pushsection .text\n" \
          ".symver orca_old_" #function ", " #function "@" VERSION(x86_64) "\n" \
          ".globl " #function "\n" \
          ".hidden " #function "\n" \
          ".type " #function ", @function\n" \
          #function ":\n" JUMP("orca_old_" #function) \
          ".size " #function ", . - " #function "\n" \
          ".popsection\n");
#include "agent/old_glibc.def"

/* Before 2.33, glibc has no functions of the names fstat and lstat, but these, whose first argument
   is the version of struct stat. */
struct stat;
int __fxstat(int version, int fd, struct stat *out); /* NOLINT(bugprone-reserved-identifier) */
int __lxstat(int version, const char *path,          /* NOLINT(bugprone-reserved-identifier) */
             struct stat *out);

__attribute__((visibility("hidden"))) int fstat(int fd, struct stat *out);
__attribute__((visibility("hidden"))) int lstat(const char *path, struct stat *out);

int fstat(int fd, struct stat *out) { return __fxstat(STAT_VERSION, fd, out); }

int lstat(const char *path, struct stat *out) { return __lxstat(STAT_VERSION, path, out); }
