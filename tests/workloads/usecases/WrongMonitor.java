package usecases;

import counted.Spelling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * A thread-safe list, extended with the wrong monitor: add is guarded by the list's own, addIfAbsent
 * by that of the extension. So both can be inside at the same time.
 */
final class WrongMonitor {
    private static final int TIMES = 300;

    /** What the JDK's synchronized lists are, in little. */
    private static final class Names {
        private final List<String> list = Collections.synchronizedList(new ArrayList<>());

        void add(String name) {
            synchronized (list) { // as the list itself does
                if (!list.contains(name)) {
                    Facts.sleep(1);
                    list.add(name);
                }
            }
        }

        synchronized void addIfAbsent(String name) {
            if (!list.contains(name)) {
                Facts.sleep(1);
                list.add(name);
            }
        }
    }

    private static Runnable often(String name, Consumer<String> add) {
        return () -> {
            for (int i = 0; i < TIMES; i++) {
                add.accept(name + "-" + i);
            }
        };
    }

    /** Until it went wrong: if one of the two begins late it finds all names there. */
    public static void main(String[] args) throws Exception {
        Names names = new Names();
        int doubles = 0;
        for (int round = 1; doubles < 10; round++) {
            String name = "name-" + round;
            Facts.join(Facts.start("adds", often(name, names::add)),
                    Facts.start("adds-if-absent", often(name, names::addIfAbsent)));
            doubles = names.list.size() - round * TIMES;
        }
        Facts.say("this", Spelling.hash(names));
        Facts.say("list", Spelling.hash(names.list));
        Facts.say("doubles", doubles);
    }
}
