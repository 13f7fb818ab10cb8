package usecases;

import counted.Spelling;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * A thread-safe list, extended with the wrong monitor: add uses the monitor of the list, addIfAbsent
 * that of the extension. So two threads can change the list at the same time.
 */
final class WrongMonitor {
    private static final int TIMES = 300;

    /** A set of names in a synchronized list. */
    private static final class Names {
        private final List<String> list = Collections.synchronizedList(new ArrayList<>());

        void add(String name) {
            synchronized (list) { // the monitor that the list itself uses
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

    private static Runnable addAll(String name, Consumer<String> add) {
        return () -> {
            for (int i = 0; i < TIMES; i++) {
                add.accept(name + "-" + i);
            }
        };
    }

    /** Repeats until names were added twice. A thread that starts late finds all names in the list. */
    public static void main(String[] args) throws Exception {
        Names names = new Names();
        int doubles = 0;
        for (int round = 1; doubles < 10; round++) {
            String name = "name-" + round;
            Facts.join(Facts.start("adds", addAll(name, names::add)),
                    Facts.start("adds-if-absent", addAll(name, names::addIfAbsent)));
            doubles = names.list.size() - round * TIMES;
        }
        Facts.say("this", Spelling.hash(names));
        Facts.say("list", Spelling.hash(names.list));
        Facts.say("doubles", doubles);
    }
}
