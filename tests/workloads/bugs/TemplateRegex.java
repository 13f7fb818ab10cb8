package bugs;

import java.util.regex.Pattern;

/** Two validators match mail addresses against a pattern that backtracks on lines without an at sign. */
public class TemplateRegex {
  static final Pattern ADDRESS = Pattern.compile("^(([a-z0-9]+[._-]?)+|\"[^\"]*\")@(([a-z]+\\.)+[a-z]{2,})$");

  static boolean validate(String line) {
    return ADDRESS.matcher(line).matches();
  }

  static void work(long end) {
    int valid = 0;
    while (System.nanoTime() < end) {
      if (validate("jane.doe@example.org")) valid++;
      if (validate("a1b2c3d4e5f6g7h8i9j0")) valid++;
    }
    System.out.println(valid);
  }

  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + 4_000_000_000L;
    for (int i = 1; i <= 2; i++) new Thread(() -> work(end), "validator-" + i).start();
  }
}
