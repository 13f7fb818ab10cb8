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
 * The account of a workload: the events that it causes. The workload prints it, and a test compares
 * it with the dump. The account contains the events of the counted threads only. Its lines:
 *
 * <pre>
 * thread HASH NAME       a counted thread
 * event NAME THREAD OBJECT
 *                        an event; those of a thread are in the order in which it caused them
 * count NAME N           the number of events of this kind
 * object HASH SIGNATURE  the class of an object in an event line
 * lock HASH OWNER        an object whose contention the account contains, and its only owner during
 *                        contention
 * exits HASH             a thread that ends the JVM or continues in code of the JDK: the test ignores
 *                        its events after the account
 * jdk GROUP              code of the JDK causes events of this group in counted threads, on objects
 *                        that the program cannot access: the test ignores events of this group on
 *                        objects that are not in the account
 * </pre>
 *
 * The thread main is not counted, because the start of the JVM runs on it. The methods of this class
 * cause no events except those that they count. With {@code -Dvirtual=true} the threads that they
 * make are virtual threads.
 */
public final class Tally {
    private static final boolean VIRTUAL = Boolean.getBoolean("virtual");
    private static final long PAUSE = 100_000; // ns

    private static final Map<String, AtomicInteger> counts = new TreeMap<>(); // by event
    private static final Set<String> countedThreads = ConcurrentHashMap.newKeySet();
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

    /** Counts all events of a call that the calling thread is about to make; {@code o} may be null. */
    public static void count(Call call, Object o) {
        for (int i = 0; i < call.events.length; i++) {
            addEvent(call, i, o);
        }
    }

    /** Counts the first event of a call that never returns, or that contains other counted calls. */
    public static void countEntry(Call call, Object o) {
        addEvent(call, 0, o);
    }

    /** Counts the last event of a call whose entry was counted, with the outcome {@code call}. */
    public static void countExit(Call call, Object o) {
        addEvent(call, call.events.length - 1, o);
    }

    /** Counts {@code n} calls without event lines. */
    public static void countMany(Call call, int n) {
        for (String event : call.events) {
            counts.get(event).addAndGet(n);
        }
    }

    private static void addEvent(Call call, int index, Object o) {
        counts.get(call.events[index]).incrementAndGet();
        String hash = Spelling.hash(o);
        addLine("event " + call.events[index] + " " + Spelling.hash(Thread.currentThread()) + " " + hash);
        if (o != null) {
            objects.put(hash, Spelling.signature(o.getClass()));
        }
    }

    /** Adds the contention of {@code o} to the account. Only {@code owner} owns it while others block. */
    public static <T> T countContention(T o, Thread owner) {
        addLine("lock " + Spelling.hash(o) + " " + Spelling.hash(owner));
        return o;
    }

    /** States that later events of the calling thread are not in the account. */
    public static void endAccount() {
        addLine("exits " + Spelling.hash(Thread.currentThread()));
    }

    /** States that code of the JDK causes events of this group in counted threads. */
    public static void allowJdkEvents(String group) {
        addLine("jdk " + group);
    }

    /** Adds a line to the account. */
    public static void addLine(String line) {
        lines.add(line);
    }

    /** Makes {@code thread} a counted thread. */
    public static <T extends Thread> T addThread(T thread) {
        countedThreads.add(Spelling.hash(thread));
        addLine("thread " + Spelling.hash(thread) + " " + Spelling.name(thread.getName()));
        return thread;
    }

    /** Returns whether the calling thread is counted. */
    public static boolean isCountedThread() {
        return countedThreads.contains(Spelling.hash(Thread.currentThread()));
    }

    /** Returns a new counted thread, which is not yet started. */
    public static Thread newThread(String name, Body body) {
        return addThread(VIRTUAL ? Virtual.unstarted(name, countedRunnable(body))
                : new Thread(countedRunnable(body), name));
    }

    /** Starts a counted thread. The caller is a counted thread too. */
    public static Thread startThread(String name, Body body) {
        Thread thread = newThread(name, body);
        count(Call.START, thread);
        thread.start();
        return thread;
    }

    public static void joinThread(Thread thread) throws InterruptedException {
        count(Call.JOIN, thread);
        thread.join();
    }

    /** Returns what a counted thread runs. It counts the thread's start and end, and keeps a failure. */
    public static Runnable countedRunnable(Body body) {
        return () -> {
            count(Call.BEGIN, null);
            keepFailure(body);
            count(Call.END, null);
        };
    }

    /** Runs {@code body}, and keeps its failure for the end of the workload. */
    static void keepFailure(Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    /** Waits until {@code thread} is in {@code state}, without a call that Orca records. */
    public static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state) {
            yieldBriefly();
        }
    }

    /** Lets other threads run for {@link #PAUSE} ns, without a call that Orca records. */
    public static void yieldBriefly() {
        long end = System.nanoTime() + PAUSE;
        do {
            Thread.yield();
        } while (System.nanoTime() < end);
    }

    public static void check(boolean isTrue) {
        if (!isTrue) {
            throw new AssertionError();
        }
    }

    /** Counts the call {@code body} on {@code o}, and checks that it throws a {@code kind}. */
    public static void expectThrow(
            Class<? extends Throwable> kind, Call call, Object o, Body body) {
        count(call, o);
        expectThrow(kind, body);
    }

    /** Checks that {@code body} throws a {@code kind}. */
    public static void expectThrow(Class<? extends Throwable> kind, Body body) {
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

    /** Returns, with a message, true if virtual threads are wanted but this JDK has none. */
    public static boolean isSkipped() {
        boolean isSkipped = VIRTUAL && !Virtual.areSupported();
        if (isSkipped) {
            System.out.println("skipped this JDK has no virtual threads");
        }
        return isSkipped;
    }

    /** Runs {@code body} in a counted thread and prints the account. */
    public static void runWorkload(Body body) throws InterruptedException {
        if (isSkipped()) {
            return;
        }
        Thread driver = newThread("driver", body);
        driver.start();
        driver.join();
        printAccount();
        for (Throwable e : failures) {
            e.printStackTrace();
        }
        if (!failures.isEmpty()) {
            System.exit(99);
        }
    }

    /** Starts a new account. */
    public static void clear() {
        lines.clear();
        objects.clear();
        counts.values().forEach(count -> count.set(0));
    }

    /** Prints the account so far in one write. */
    public static void printAccount() {
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
