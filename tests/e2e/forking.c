/* A JVMTI agent whose thread forks every 20 ms, as native code of a program may do. The children
   live for a moment, do not call exec, and end without the JVM's help. */
#include <jvmti.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAUSE_US 20000
#define LIFE_US 50000

static void *fork_children(void *arg) {
  for (;;) {
    pid_t child = fork();
    if (child == 0) {
      usleep(LIFE_US);
      _exit(0);
    }
    usleep(PAUSE_US);
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
  }
  return arg;
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved) {
  pthread_t thread;
  (void)vm, (void)options, (void)reserved;
  return pthread_create(&thread, NULL, fork_children, NULL) == 0 ? JNI_OK : JNI_ERR;
}
