package counted;

import static counted.Call.CONTEND;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** Makes one thread block exactly once on a monitor that another thread owns. */
final class Contention {
    /** With {@code -Drecorded=true}, the owner keeps the monitor until the files of the agent name it. */
    private static final Path EVENTS = Boolean.getBoolean("recorded") ? findEvents() : null;

    private final Object lock;
    private volatile boolean isAboutToEnter;

    /** Starts a counted thread: platform or virtual. */
    interface Starter {
        Thread start(String name, Body body) throws Exception;
    }

    private Contention(Object lock) {
        this.lock = lock;
    }

    static void blockOnce(Object lock) throws Exception {
        blockOnce(lock, () -> enter(lock), Tally::startThread);
    }

    /**
     * Starts a thread that runs {@code enter}. The caller owns {@code lock} until {@code enter} blocks on it.
     * Before that, {@code enter} must not block on another monitor. So it makes no lambda: the JDK has locks
     * for that, such as one of a ReferenceQueue.
     */
    static void blockOnce(Object lock, Body enter, Starter starter) throws Exception {
        Contention c = new Contention(lock);
        Thread contender;
        synchronized (lock) {
            contender = starter.start("contender", () -> c.contend(enter));
            c.awaitBlocked(contender);
        }
        Tally.joinThread(contender);
    }

    private void contend(Body enter) throws Exception {
        Tally.count(CONTEND, lock);
        isAboutToEnter = true; // now the thread can block on `lock` only
        enter.run();
    }

    private void awaitBlocked(Thread contender) {
        while (!isAboutToEnter || contender.getState() != Thread.State.BLOCKED) {
            Tally.yieldBriefly();
        }
        while (EVENTS != null && !isOwnerRecorded(contender)) {
            Tally.yieldBriefly();
        }
    }

    /** Returns the file of events, whose name is in the flag of this JVM that loads the agent. */
    private static Path findEvents() {
        for (String word : read(Paths.get("/proc/self/cmdline")).split("\0")) {
            if (word.startsWith("-agentpath:")) {
                return Paths.get(word.substring(word.indexOf('=') + 1).split(",")[0] + ".orca");
            }
        }
        throw new AssertionError("there is no agent");
    }

    private static String read(Path path) {
        try {
            return new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In the line of the contention, or in a later one of its own. */
    private boolean isOwnerRecorded(Thread contender) {
        String owner = Spelling.hash(Thread.currentThread());
        String fields = "," + Spelling.hash(contender) + "," + Spelling.hash(lock) + "," + owner + ",";
        String lines = read(EVENTS);
        return lines.contains(",MonitorContendedEnter" + fields) || lines.contains(",MonitorOwner" + fields);
    }

    static void enter(Object lock) {
        synchronized (lock) {
            Thread.yield();
        }
    }
}
