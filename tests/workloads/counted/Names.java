package counted;

import java.util.Arrays;

/** Threads with names that need escapes in a line, and very long names. */
final class Names {
    private static final String[] NAMES = {
        "", " ", "plain", "a,b", "back\\slash", "\\u002C", "two\nlines\r\n", "tab\tnul\0end", "\0",
        "\u007F", "\u0085", "caf\u00E9", "\u2028\u2029", "\uFEFF", "\uFFFF", "\uD83D\uDE00",
        "\uD83D", "\uDE00", "\uDE00\uD83D", "\uD83D\uD83D\uDE00", "a;b=c\"d'", "%s%n%d",
        repeat('x', 60_000), repeat('\u00E9', 20_000), repeat('\n', 10_000),
    };

    private static String repeat(char c, int times) {
        char[] chars = new char[times];
        Arrays.fill(chars, c);
        return new String(chars);
    }

    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            for (String name : NAMES) {
                Tally.joinThread(Tally.startThread(name, () -> {}));
            }
        });
    }
}
