package counted;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A workload's own account of what it does; a test compares it with the dump. The lines printed:
 *
 * <pre>
 * thread HASH NAME       a thread of the workload's own; other threads do not count
 * event NAME THREAD OBJECT
 *                        in the order in which that thread made them
 * count NAME N           how many of these events there are
 * object HASH SIGNATURE  the class of an object that an event names
 * lock HASH OWNER        an object whose contention counts, and who holds it when there is some
 * exits HASH             a thread that ends the JVM, or goes back to the JDK's code for good: what
 *                        it does after its account is the JDK's
 * jdk GROUP              own threads run code of the JDK that makes events of this group on objects
 *                        that it shows nobody: only those on objects that the account names count
 * </pre>
 *
 * The thread main is not the workload's own: the JVM's start-up runs on it. Nothing in here makes
 * an event of its own that the account does not say. With {@code -Dvirtual=true} the threads made
 * here are virtual ones.
 */
public final class Tally {
    private static final boolean VIRTUAL = Boolean.getBoolean("virtual");
    private static final long PAUSE = 100_000; // ns

    private static final Map<String, AtomicInteger> counts = new TreeMap<>(); // of all events
    private static final Set<String> own = ConcurrentHashMap.newKeySet();
    private static final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private static final Map<String, String> objects = new ConcurrentHashMap<>();
    private static final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    static {
        for (Call call : Call.values()) {
            for (String event : call.events) {
                counts.putIfAbsent(event, new AtomicInteger());
            }
        }
    }

    private Tally() {}

    /** The calling thread is about to make one such call, on {@code o} if it has an object. */
    public static void count(Call call, Object o) {
        for (int i = 0; i < call.events.length; i++) {
            add(call, i, o);
        }
    }

    /** The same for a call that will never return, or inside of which there will be others. */
    public static void enter(Call call, Object o) {
        add(call, 0, o);
    }

    /** A call that has entered has come to its end: so, however it was said to enter. */
    public static void leave(Call call, Object o) {
        add(call, call.events.length - 1, o);
    }

    /** The calls were too many to be told one by one. */
    public static void times(Call call, int n) {
        for (String event : call.events) {
            counts.get(event).addAndGet(n);
        }
    }

    private static void add(Call call, int at, Object o) {
        counts.get(call.events[at]).incrementAndGet();
        String hash = Spelling.hash(o);
        say("event " + call.events[at] + " " + Spelling.hash(Thread.currentThread()) + " " + hash);
        if (o != null) {
            objects.put(hash, Spelling.signature(o.getClass()));
        }
    }

    /** The contention of {@code o} counts; {@code owner} holds it whenever another one blocks. */
    public static <T> T lock(T o, Thread owner) {
        say("lock " + Spelling.hash(o) + " " + Spelling.hash(owner));
        return o;
    }

    /** The calling thread will do nothing more that counts, after what its account says. */
    public static void exits() {
        say("exits " + Spelling.hash(Thread.currentThread()));
    }

    /** The JDK's own code makes events of this group in the workload's threads. */
    public static void jdk(String group) {
        say("jdk " + group);
    }

    /** A further line of the account. */
    public static void say(String line) {
        lines.add(line);
    }

    /** Makes {@code thread} one of the workload's own. */
    public static <T extends Thread> T own(T thread) {
        own.add(Spelling.hash(thread));
        say("thread " + Spelling.hash(thread) + " " + Spelling.name(thread.getName()));
        return thread;
    }

    /** Is the calling thread one of the workload's own? */
    public static boolean isOwn() {
        return own.contains(Spelling.hash(Thread.currentThread()));
    }

    /** A new thread of the workload's own, not yet started. */
    public static Thread thread(String name, Body body) {
        return own(VIRTUAL ? Virtual.unstarted(name, alive(body)) : new Thread(alive(body), name));
    }

    /** A new thread of the workload's own, started by the caller, which is one too. */
    public static Thread start(String name, Body body) {
        Thread thread = thread(name, body);
        count(Call.START, thread);
        thread.start();
        return thread;
    }

    public static void join(Thread thread) throws InterruptedException {
        count(Call.JOIN, thread);
        thread.join();
    }

    /** What an own thread runs: its beginning and its end are counted, its failure is kept. */
    public static Runnable alive(Body body) {
        return () -> {
            count(Call.BEGIN, null);
            attempt(body);
            count(Call.END, null);
        };
    }

    /** Runs {@code body}; its failure is kept for the end. */
    static void attempt(Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    /** Waits, without a recorded call, until {@code thread} is in {@code state}. */
    public static void until(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            pause();
        }
    }

    /** Lets others run for a little while; no recorded call can do that. */
    public static void pause() {
        long end = System.nanoTime() + PAUSE;
        do {
            Thread.yield();
        } while (System.nanoTime() < end);
    }

    public static void check(boolean asExpected) {
        if (!asExpected) {
            throw new AssertionError();
        }
    }

    /** {@code body} is one such call on {@code o} and must throw a {@code kind}. */
    public static void fails(Class<? extends Throwable> kind, Call call, Object o, Body body) {
        count(call, o);
        fails(kind, body);
    }

    /** {@code body} must throw a {@code kind}. */
    public static void fails(Class<? extends Throwable> kind, Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            if (kind.isInstance(e)) {
                return;
            }
            throw new AssertionError("not a " + kind, e);
        }
        throw new AssertionError("no " + kind);
    }

    /** Are virtual threads asked for where there are none? Then it says so. */
    public static boolean isSkipped() {
        boolean skipped = VIRTUAL && !Virtual.areThere();
        if (skipped) {
            System.out.println("skipped this JDK has no virtual threads");
        }
        return skipped;
    }

    /** A whole workload: runs {@code body} in a thread of its own and prints the account. */
    public static void run(Body body) throws InterruptedException {
        if (isSkipped()) {
            return;
        }
        Thread driver = thread("driver", body);
        driver.start();
        driver.join();
        print();
        for (Throwable e : failures) {
            e.printStackTrace();
        }
        if (!failures.isEmpty()) {
            System.exit(99);
        }
    }

    /** Begins a new account. */
    public static void clear() {
        lines.clear();
        objects.clear();
        counts.values().forEach(count -> count.set(0));
    }

    /** Prints the account so far, in one piece. */
    public static void print() {
        StringBuilder out = new StringBuilder();
        for (String line : lines) {
            out.append(line).append('\n');
        }
        objects.forEach((hash, signature) ->
                out.append("object ").append(hash).append(' ').append(signature).append('\n'));
        counts.forEach((event, count) ->
                out.append("count ").append(event).append(' ').append(count).append('\n'));
        write(out.append("end\n").toString());
    }

    private static void write(String text) {
        try {
            FileOutputStream out = new FileOutputStream(FileDescriptor.out);
            PrintStream utf8 = new PrintStream(out, false, "UTF-8");
            utf8.print(text);
            utf8.flush();
        } catch (java.io.UnsupportedEncodingException e) {
            throw new AssertionError(e);
        }
    }
}
