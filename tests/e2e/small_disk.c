/* A library for LD_PRELOAD that makes the folder $ORCA_DISK_FOLDER a small disk: a write to a file
   in it fails with ENOSPC when all its files together would need more bytes than the file
   $ORCA_DISK_SIZE says. Deleting a file makes room, as on a real disk. A second number in that file
   is the errno to fail with. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned long long sum_sizes(const char *folder) {
  unsigned long long sum = 0;
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
    struct stat st;
    if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
      sum += (unsigned long long)st.st_size;
  }
  if (dir != NULL) closedir(dir);
  return sum;
}

static unsigned long long read_size(int *why) {
  const char *path = getenv("ORCA_DISK_SIZE");
  FILE *file = path == NULL ? NULL : fopen(path, "re");
  unsigned long long size = ULLONG_MAX;
  if (file == NULL) return size;
  if (fscanf(file, "%llu %d", &size, why) < 1) size = ULLONG_MAX;
  fclose(file);
  return size;
}

static int is_in_folder(int fd, const char *folder) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  size_t len = strlen(folder);
  if (n <= 0) return 0;
  path[n] = '\0';
  return strncmp(path, folder, len) == 0 && path[len] == '/';
}

__attribute__((visibility("default"))) ssize_t write(int fd, const void *data, size_t n) {
  static ssize_t (*real)(int, const void *, size_t);
  const char *folder = getenv("ORCA_DISK_FOLDER");
  if (real == NULL) real = (ssize_t(*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  if (folder == NULL || !is_in_folder(fd, folder)) return real(fd, data, n);
  int why = ENOSPC;
  unsigned long long size = read_size(&why), used = sum_sizes(folder);
  unsigned long long room = used < size ? size - used : 0;
  if (room == 0) {
    errno = why;
    return -1;
  }
  return real(fd, data, n < room ? n : (size_t)room);
}
