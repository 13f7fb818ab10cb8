/* An agent that writes the command and its arguments to the reply file and returns 0. It returns 7
   for the command "@refuse", and -3 without a reply file. */
#include <jvmti.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved);

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *options, void *reserved) {
  (void)reserved;
  static int num_calls;
  char command[32], path[128];
  JNIEnv *env;
  if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_EDETACHED) return JNI_EDETACHED;
  if (sscanf(options, "%31[^,],reply=%127[^,]", command, path) != 2) return -3;
  FILE *reply = fopen(path, "r+"); /* the file must exist */
  if (reply == NULL) return -4;
  bool is_refuse = strcmp(command, "@refuse") == 0;
  const char *arguments = strchr(strchr(options, ',') + 1, ',');
  fprintf(reply, "%s call %d%s\n", command, ++num_calls, arguments == NULL ? "" : arguments);
  fclose(reply);
  return is_refuse ? 7 : 0;
}
