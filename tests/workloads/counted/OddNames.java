package counted;

import static counted.Call.NOTIFY;
import static counted.Call.SLEEP;

import java.util.Arrays;

/** Classes, methods and source files with names that need escapes in a line, and very long names. */
final class OddNames {
    public static void main(String[] args) throws Exception {
        Tally.runWorkload(() -> {
            visit("a,b", "c,d", "e,f.java");
            visit("two\nlines", "\r\n", "line\nbreak");
            visit("back\\slash", "\\u002C", "\\");
            visit("nul\0", "\0", "\0");
            visit("\u007F\u0001", "\u001F ", "\t");
            visit("\uD83D\uDE00", "\uD83D\uDE00\uD83D\uDE00", "\uD83D\uDE00.java");
            visit("\uD83D", "\uDE00", "\uDE00\uD83D");
            visit("caf\u00E9", "\u2028", "\u2029");
            visit("pkg/Inner$1", "$", "");
            visit(repeat('C', 60_000), repeat('m', 60_000), repeat('s', 60_000));
        });
    }

    private static String repeat(char c, int times) {
        char[] chars = new char[times];
        Arrays.fill(chars, c);
        return new String(chars);
    }

    private static void visit(String name, String method, String source) throws Exception {
        Class<?> c = new Loader().define(OddClass.make(name, method, source));
        Runnable odd = (Runnable) c.getDeclaredConstructor().newInstance();
        Tally.addLine("class " + Spelling.signature(c) + " " + Spelling.name(source));
        Tally.addLine("method " + Spelling.name(method));
        Tally.count(SLEEP, null);
        odd.run();
        synchronized (odd) {
            Tally.count(NOTIFY, odd);
            odd.notify();
        }
    }

    private static final class Loader extends ClassLoader {
        Loader() {
            super(OddNames.class.getClassLoader());
        }

        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }
}
