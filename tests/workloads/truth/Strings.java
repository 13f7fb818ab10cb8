package truth;

import java.util.Locale;

/** Builds, joins, formats and splits strings. */
final class Strings {
  private Strings() {}

  public static void main(String[] args) throws Exception {
    Shares.print(
        args, Strings.class, Strings::run, "TOTAL build", "TOTAL concat", "TOTAL format", "TOTAL split");
  }

  private static void run(Shares shares) {
    long x = 1;
    while (shares.startRound()) {
      x += build(30_000);
      shares.endPhase(0);
      x += concat(20_000);
      shares.endPhase(1);
      x += format(300);
      shares.endPhase(2);
      x += split(1000);
      shares.endPhase(3);
    }
    if (x == 0) throw new AssertionError();
  }

  private static int build(int n) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < n; i++) {
      text.append(i).append(',').append("abc");
      if (text.length() > 2000) text.setLength(0);
    }
    return text.length();
  }

  private static int concat(int n) {
    int length = 0;
    for (int i = 0; i < n; i++) length += ("id-" + i + ":" + (i * 31)).hashCode() & 15;
    return length;
  }

  private static int format(int n) {
    int length = 0;
    for (int i = 0; i < n; i++) length += String.format(Locale.ROOT, "%5d %s %.2f", i, "x", i * 0.5).length();
    return length;
  }

  private static int split(int n) {
    int parts = 0;
    for (int i = 0; i < n; i++) parts += "one,two,three,four,five".split(",").length;
    return parts;
  }
}
