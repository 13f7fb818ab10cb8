#include "agent/options/command_line.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MASK "***"

/* In lower case. "pass" is part of password, passwd and passphrase, and of DB_PASS. */
static const char *const secret_words[] = {"pass", "pwd", "secret", "token", "key", "credential"};

/* --- names of secrets ------------------------------------------------------------------------- */

/* Without tolower, which follows the locale of the program. */
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool starts_with(struct span text, const char *word) {
  size_t i = 0;
  while (i < text.len && word[i] != '\0' && lower(text.data[i]) == word[i]) i++;
  return word[i] == '\0';
}

static struct span skip_bytes(struct span s, size_t n) {
  return (struct span){s.data + n, s.len - n};
}

static bool is_secret_name(struct span name) {
  for (size_t at = 0; at < name.len; at++) {
    for (size_t i = 0; i < sizeof secret_words / sizeof *secret_words; i++) {
      if (starts_with(skip_bytes(name, at), secret_words[i])) return true;
    }
  }
  return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* An option whose value is not after a `=`. Those of a JVM with -D and -X have no other value. */
static bool is_secret_option(struct span name) {
  return name.len > 0 && name.data[0] == '-' && !span_starts(name, "-D") &&
         !span_starts(name, "-X") && memchr(name.data, ':', name.len) == NULL &&
         memchr(name.data, '=', name.len) == NULL && is_secret_name(name);
}

/* The option names the file of an agent, whose own options come after the `=`. */
static bool is_agent_file(struct span name) {
  return span_starts(name, "-javaagent:") || span_starts(name, "-agentpath:");
}

/* --- NAME=secret ------------------------------------------------------------------------------ */

/* Returns NUL after the end of the word. */
static char get_byte(struct span word, size_t at) { return at < word.len ? word.data[at] : '\0'; }

static size_t skip_blanks(struct span word, size_t at) {
  while (is_blank(get_byte(word, at))) at++;
  return at;
}

/* Whether the value of a secret begins after byte `at`, before which `name` is: NAME=value,
   "NAME":value, NAME: value, -NAME:value, and -NAME value inside of one word, such as a command for
   a shell. Another colon is no sign, since class paths are full of them. */
static bool begins_secret(struct span word, struct span name, size_t at) {
  char c = word.data[at], next = get_byte(word, at + 1);
  if (c == '=') return !is_agent_file(name) && is_secret_name(name);
  if (c == '"' || c == '\'')
    return get_byte(word, skip_blanks(word, at + 1)) == ':' && is_secret_name(name);
  if (c == ':' && is_blank(next)) return is_secret_name(name);
  bool is_end = name.len > 0 && !is_blank(name.data[name.len - 1]) && (c == ':' || is_blank(c));
  return is_end && is_secret_option(name);
}

/* What can be before a name inside of a word. */
static bool is_separator(char c) { return is_blank(c) || strchr("=,;&?\"'{[(", c) != NULL; }

/* Blanks before a `=` or a colon belong to the name. Of several blanks, the last one separates. */
static bool separates_names(struct span word, size_t at) {
  char c = word.data[at], next = get_byte(word, at + 1);
  if (is_blank(c)) return !is_blank(next) && next != '=' && next != ':';
  return is_separator(c) || (c == ':' && is_blank(next));
}

/* Returns where the secret in a word begins. It lasts to the end of the word, as it may contain
   every separator. Without a secret this is the length of the word. */
static size_t find_secret(struct span word) {
  size_t begin = 0; /* of the name */
  for (size_t at = 0; at < word.len; at++) {
    struct span name = {word.data + begin, at - begin};
    if (begins_secret(word, name, at)) return at + 1;
    if (separates_names(word, at)) begin = at + 1;
  }
  return word.len;
}

/* --- user:password@host ----------------------------------------------------------------------- */

struct part {
  size_t begin, end;
};

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The name of a user ends at the colon. What has one of these bytes is a path, or a host. */
static bool is_user(struct span text) {
  for (size_t i = 0; i < text.len; i++) {
    if (is_blank(text.data[i]) || strchr("/?#@[\\\"'", text.data[i]) != NULL) return false;
  }
  return true;
}

/* "8080/path": a port, not a password. */
static bool is_port(struct span text) {
  size_t digits = 0;
  while (digits < text.len && is_digit(text.data[digits])) digits++;
  return digits > 0 && digits < text.len && text.data[digits] != '@';
}

/* Looks for user:password@ at byte `from`. The password ends at the last @ of the word, because it
   may contain that character too. */
static bool find_password_at(struct span word, size_t from, struct part *out) {
  struct span text = skip_bytes(word, from);
  const char *colon = memchr(text.data, ':', text.len);
  const char *at = memrchr(text.data, '@', text.len);
  if (colon == NULL || at == NULL || colon + 1 >= at) return false;
  struct span user = {text.data, (size_t)(colon - text.data)};
  struct span rest = {colon + 1, (size_t)(text.data + text.len - colon - 1)};
  if (!is_user(user) || is_port(rest)) return false;
  *out = (struct part){(size_t)(colon + 1 - word.data), (size_t)(at - word.data)};
  return true;
}

static bool is_after_scheme(struct span word, size_t at) {
  return at >= 3 && memcmp(word.data + at - 3, "://", 3) == 0;
}

/* Without a scheme the text has to look more like it: a user, and no scheme of a URL before the @.
   Oracle's jdbc:oracle:thin:user/password@host counts, and jdbc:oracle:thin:@host does not. */
static bool is_plain_login(struct span word, size_t from, const struct part *password) {
  struct span user = {word.data + from, password->begin - 1 - from};
  const char *at = memchr(user.data, '@', word.len - from);
  bool has_scheme = memmem(user.data, (size_t)(at - user.data), "://", 3) != NULL;
  return user.len > 0 && user.data[0] != '-' && !has_scheme && word.data[password->end - 1] != ':';
}

static bool find_password(struct span word, struct part *out) {
  if (word.len == 0 || memchr(word.data, '@', word.len) == NULL) return false;
  for (size_t from = 0; from < word.len; from++) {
    bool is_url = is_after_scheme(word, from);
    bool can_begin = is_url || from == 0 || is_separator(word.data[from - 1]);
    if (!can_begin || !find_password_at(word, from, out)) continue;
    if (is_url || is_plain_login(word, from, out)) return true;
  }
  return false;
}

/* --- words ------------------------------------------------------------------------------------ */

static void put_part(struct builder *b, struct span word, size_t begin, size_t end) {
  builder_bytes(b, word.data + begin, end - begin);
}

static void put_masked(struct builder *b, struct span word) {
  size_t secret = find_secret(word), shown = 0;
  struct part password;
  if (find_password(word, &password) && password.begin < secret) {
    put_part(b, word, 0, password.begin);
    builder_string(b, MASK);
    if (password.end >= secret) return; /* the rest of the word is secret too */
    shown = password.end;
  }
  put_part(b, word, shown, secret);
  if (secret < word.len) builder_string(b, MASK);
}

/* A word with a dash after a secret option can be its value, or the next option; so it is replaced,
   and the word after it too if its own name is one of a secret. */
void command_line_put(struct builder *b, struct span words, bool is_masked) {
  bool is_secret = false, is_first = true;
  struct span rest = words, word;
  if (rest.len > 0 && rest.data[rest.len - 1] == '\0') rest.len--;
  for (; span_cut(&rest, '\0', &word); is_first = false) {
    if (!is_first) builder_char(b, ' ');
    if (!is_masked) {
      builder_bytes(b, word.data, word.len);
    } else if (is_secret) {
      builder_string(b, MASK);
    } else {
      put_masked(b, word);
    }
    is_secret = is_masked && is_secret_option(word);
  }
}

/* --- agents ----------------------------------------------------------------------------------- */

void command_line_read(struct builder *out) {
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  for (;;) {
    char *room = fd < 0 ? NULL : builder_room(out, 4096);
    ssize_t n = room == NULL ? 0 : read(fd, room, 4096);
    if (n <= 0) break;
    out->len += (size_t)n;
  }
  if (fd >= 0) close(fd);
}

/* The options of the launcher whose value is the next word. -jar and --module are not among them:
   what comes after FILE or NAME belongs to the program. */
static bool takes_next_word(struct span word) {
  static const char *const names[] = {"-cp",
                                      "-classpath",
                                      "-p",
                                      "--class-path",
                                      "--module-path",
                                      "--upgrade-module-path",
                                      "--add-modules",
                                      "--limit-modules",
                                      "--enable-native-access",
                                      "--add-exports",
                                      "--add-opens",
                                      "--add-reads",
                                      "--patch-module",
                                      "--source"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (span_is(word, names[i])) return true;
  }
  return false;
}

static bool is_other_agent(struct span word, const char *options) {
  static const char name[] = "/liborca.so";
  struct span file;
  if (!span_starts(word, "-agentpath:")) return false;
  bool has_options = memchr(word.data, '=', word.len) != NULL;
  span_cut(&word, '=', &file);
  size_t len = sizeof name - 1;
  bool is_orca = file.len > len && memcmp(file.data + file.len - len, name, len) == 0;
  return is_orca && !(has_options ? span_is(word, options) : options[0] == '\0');
}

bool command_line_has_agent(struct span words, const char *options) {
  struct span rest = words, word;
  bool is_value = false;
  span_cut(&rest, '\0', &word); /* the launcher */
  while (span_cut(&rest, '\0', &word)) {
    bool is_option = span_starts(word, "-") || span_starts(word, "@");
    if (!is_option && !is_value) return false;
    if (is_other_agent(word, options)) return true;
    is_value = takes_next_word(word);
  }
  return false;
}
