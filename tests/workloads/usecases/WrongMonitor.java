package usecases;

import counted.Spelling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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

    private static Runnable often(java.util.function.Consumer<String> add) {
        return () -> {
            for (int i = 0; i < TIMES; i++) {
                add.accept("name-" + i);
            }
        };
    }

    public static void main(String[] args) throws Exception {
        Names names = new Names();
        Facts.join(Facts.start("adds", often(names::add)),
                Facts.start("adds-if-absent", often(names::addIfAbsent)));
        Facts.say("this", Spelling.hash(names));
        Facts.say("list", Spelling.hash(names.list));
        Facts.say("doubles", names.list.size() - TIMES);
    }
}
