package counted;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

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
 * exits HASH             a thread that ends the JVM: what it does after its account is the JDK's
 * </pre>
 *
 * The thread main is not the workload's own: the JVM's start-up runs on it. Nothing in here makes
 * an event of its own that the account does not say.
 */
public final class Tally {
    private static final Map<Call, AtomicInteger[]> counts = new EnumMap<>(Call.class);
    private static final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private static final Map<String, String> objects = new ConcurrentHashMap<>();
    private static final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    static {
        for (Call call : Call.values()) {
            AtomicInteger[] of = new AtomicInteger[call.events.length];
            for (int i = 0; i < of.length; i++) {
                of[i] = new AtomicInteger();
            }
            counts.put(call, of);
        }
    }

    private Tally() {}

    /** The calling thread is about to make one such call, on {@code o} if it has an object. */
    public static void count(Call call, Object o) {
        for (int i = 0; i < call.events.length; i++) {
            add(call, i, o);
        }
    }

    /** The same for a call that will never return. */
    public static void enter(Call call, Object o) {
        add(call, 0, o);
    }

    /** The calls were too many to be told one by one. */
    public static void times(Call call, int n) {
        for (AtomicInteger count : counts.get(call)) {
            count.addAndGet(n);
        }
    }

    private static void add(Call call, int at, Object o) {
        counts.get(call)[at].incrementAndGet();
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

    /** The calling thread will end the JVM as soon as it has done what its account says. */
    public static void exits() {
        say("exits " + Spelling.hash(Thread.currentThread()));
    }

    /** A further line of the account. */
    public static void say(String line) {
        lines.add(line);
    }

    /** Makes {@code thread} one of the workload's own. */
    public static <T extends Thread> T own(T thread) {
        say("thread " + Spelling.hash(thread) + " " + Spelling.name(thread.getName()));
        return thread;
    }

    /** A new thread of the workload's own, not yet started. */
    public static Thread thread(String name, Body body) {
        return own(new Thread(alive(body), name));
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

    public static void pause() {
        LockSupport.parkNanos(200_000);
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

    /** A whole workload: runs {@code body} in a thread of its own and prints the account. */
    public static void run(Body body) throws InterruptedException {
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
        counts.forEach((call, of) -> {
            for (AtomicInteger count : of) {
                count.set(0);
            }
        });
    }

    /** Prints the account so far, in one piece. */
    public static void print() {
        StringBuilder out = new StringBuilder();
        for (String line : lines) {
            out.append(line).append('\n');
        }
        objects.forEach((hash, signature) ->
                out.append("object ").append(hash).append(' ').append(signature).append('\n'));
        counts.forEach((call, of) -> {
            for (int i = 0; i < of.length; i++) {
                out.append("count ").append(call.events[i]).append(' ').append(of[i]).append('\n');
            }
        });
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
