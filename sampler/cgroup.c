#include "sampler/cgroup.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 4096

/* Reads a small file as a C string; false if it is empty or cannot be read. */
static bool read_text(const char *path, char *text, size_t size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t len = 0;
  for (ssize_t n; len < size - 1 && (n = read(fd, text + len, size - 1 - len)) > 0;) {
    len += (size_t)n;
  }
  close(fd);
  text[len] = '\0';
  return len > 0;
}

static bool read_file(const char *folder, const char *file, char *text, size_t size) {
  char path[PATH_SIZE + 64];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  return read_text(path, text, size);
}

static bool read_number(const char *folder, const char *file, double *out) {
  char text[64], *end;
  if (!read_file(folder, file, text, sizeof text)) return false;
  *out = strtod(text, &end);
  return end != text;
}

/* --- the quota of one group, in CPUs; 0: no quota --------------------------------------------- */

/* cpu.max contains the quota and the period in microseconds: "50000 100000" or "max 100000". */
static double quota_v2(const char *folder) {
  char text[64], *end;
  if (!read_file(folder, "cpu.max", text, sizeof text)) return 0;
  double quota = strtod(text, &end);
  if (end == text || *end != ' ') return 0;
  double period = strtod(end, NULL);
  return quota > 0 && period > 0 ? quota / period : 0;
}

/* cpu.cfs_quota_us contains -1 if there is no quota. */
static double quota_v1(const char *folder) {
  double quota, period;
  bool known = read_number(folder, "cpu.cfs_quota_us", &quota) &&
               read_number(folder, "cpu.cfs_period_us", &period);
  return known && quota > 0 && period > 0 ? quota / period : 0;
}

/* --- the group and the groups that contain it ------------------------------------------------- */

/* Considers `group` and each group that contains it, up to the root of the hierarchy at `mount`.
   Selects the first one that exists, or the one with the smallest quota. */
static void consider_ancestors(struct cgroup *out, const char *mount, const char *group,
                               double (*quota)(const char *)) {
  char folder[PATH_SIZE];
  int len = snprintf(folder, sizeof folder, "%s%s", mount, strcmp(group, "/") == 0 ? "" : group);
  if (len < 0 || (size_t)len >= sizeof folder) return;
  for (size_t mount_len = strlen(mount); strlen(folder) >= mount_len;) {
    char text[64];
    double cpus = quota(folder);
    bool is_first = out->stat[0] == '\0' && read_file(folder, "cpu.stat", text, sizeof text);
    bool is_smaller = cpus > 0 && (out->quota == 0 || cpus < out->quota);
    if (is_smaller) out->quota = cpus;
    if ((is_first || is_smaller) && strlen(folder) + sizeof "/cpu.stat" <= sizeof out->stat) {
      snprintf(out->stat, sizeof out->stat, "%.4000s/cpu.stat", folder);
    }
    char *last = strrchr(folder + mount_len, '/');
    if (last == NULL) break;
    *last = '\0';
  }
}

static bool has_word(const char *list, const char *word) {
  size_t len = strlen(word);
  for (const char *at = list; (at = strstr(at, word)) != NULL; at += len) {
    bool is_start = at == list || at[-1] == ',';
    if (is_start && (at[len] == '\0' || at[len] == ',')) return true;
  }
  return false;
}

/* Reads a line of /proc/self/cgroup: "number:controllers:group". With version 2, the controllers
   are empty. */
static void consider_line(struct cgroup *out, char *line, const char *root) {
  char mount[PATH_SIZE], *rest = strchr(line, ':');
  if (rest == NULL) return;
  char *controllers = rest + 1, *group = strchr(controllers, ':');
  if (group == NULL) return;
  *group++ = '\0';
  if (controllers[0] == '\0') {
    consider_ancestors(out, root, group, quota_v2);
    snprintf(mount, sizeof mount, "%.4000s/unified", root); /* in hybrid mode */
    consider_ancestors(out, mount, group, quota_v2);
  } else if (has_word(controllers, "cpu")) {
    snprintf(mount, sizeof mount, "%.2000s/%.2000s", root, controllers);
    consider_ancestors(out, mount, group, quota_v1);
    snprintf(mount, sizeof mount, "%.4000s/cpu", root);
    consider_ancestors(out, mount, group, quota_v1);
  }
}

void cgroup_find(struct cgroup *out, const char *self, const char *root) {
  char text[8192], *state = NULL;
  *out = (struct cgroup){0};
  if (!read_text(self, text, sizeof text)) return;
  for (char *line = strtok_r(text, "\n", &state); line != NULL; line = strtok_r(NULL, "\n", &state))
    consider_line(out, line, root);
}

/* --- throttling ------------------------------------------------------------------------------- */

/* Finds the line "key number". */
static bool find_number(const char *text, const char *key, int64_t *out) {
  size_t len = strlen(key);
  for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (strncmp(line, key, len) != 0 || line[len] != ' ') continue;
    char *end;
    *out = strtoll(line + len, &end, 10);
    return end != line + len && *out >= 0;
  }
  return false;
}

int64_t cgroup_read_throttled(const struct cgroup *c) {
  char text[4096];
  int64_t n;
  if (c->stat[0] == '\0' || !read_text(c->stat, text, sizeof text)) return -1;
  if (find_number(text, "throttled_usec", &n)) return n * 1000;
  return find_number(text, "throttled_time", &n) ? n : -1;
}
