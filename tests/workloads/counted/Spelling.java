package counted;

/** Formats hashes, names and classes as the dump does. */
public final class Spelling {
    private Spelling() {}

    /** Returns the identity hash as eight hexadecimal digits; {@code 00000000} for null. */
    public static String hash(Object o) {
        String digits = Integer.toHexString(System.identityHashCode(o)).toUpperCase();
        return "00000000".substring(digits.length()) + digits;
    }

    /** Returns the signature of a class, such as {@code Ljava/lang/Object;} or {@code [I}, with escapes. */
    public static String signature(Class<?> c) {
        String name = c.getName().replace('.', '/');
        return name(c.isArray() ? name : "L" + name + ";");
    }

    /** Replaces characters that would break a line, and unpaired surrogates, by escapes of four digits. */
    public static String name(String s) {
        StringBuilder out = new StringBuilder(s.length());
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if (i + 1 < s.length() && Character.isSurrogatePair(c, s.charAt(i + 1))) {
                out.append(c).append(s.charAt(++i));
            } else if (needsEscape(c) || Character.isSurrogate(c)) {
                String digits = Integer.toHexString(c).toUpperCase();
                out.append("\\u").append("0000".substring(digits.length())).append(digits);
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static boolean needsEscape(char c) {
        return c < ' ' || c == ',' || c == '\\' || c == 0x7F || c == 0x2028 || c == 0x2029;
    }
}
