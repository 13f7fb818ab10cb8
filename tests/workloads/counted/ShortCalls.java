package counted;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Short calls of every kind of wait, to be recorded with a threshold. In each round, a thread makes a
 * call that waits. The driver lets it wait for {@link #PAUSE} ns, and then ends the wait. The methods
 * that make the calls measure them from outside. Most kinds have two of them, named Here and There, and
 * two objects. The account has a line for each event, object and method:
 *
 * <pre>
 * sum EVENT OBJECT METHOD CALLS TOTAL LONGEST LEAST
 * </pre>
 *
 * The agent measures inside of that. So it can have no more than TOTAL ns for all of the calls, and no
 * more than LONGEST ns for one of them. It must have at least LEAST ns for all of them, since they were
 * seen to wait for so long.
 *
 * <p>With the argument {@code objects} there are calls that need not wait, on very many objects. With
 * {@code -Dmethods=true} the account also has the calls of the methods step* of this class.
 */
final class ShortCalls {
    private static final int ROUNDS = Integer.getInteger("rounds", 24);
    /** Rounds with objects of their own: so few that the agent need not merge their sums. */
    private static final int OWN_ROUNDS = Integer.getInteger("ownRounds", 6);
    private static final int OBJECTS = Integer.getInteger("objects", 20_000);
    private static final int THREADS = 8; // of those that use many objects
    private static final long PAUSE = Integer.getInteger("pause", 1) * 1_000_000L; // ns
    private static final boolean METHODS = Boolean.getBoolean("methods");

    private static final Queue<Made> made = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) throws Exception {
        boolean hasMany = args.length > 0 && args[0].equals("objects");
        Tally.runWorkload(hasMany ? ShortCalls::makeOfManyObjects : ShortCalls::makeAll);
    }

    /** Makes all calls but those of many objects, and adds them to the account. */
    static void makeAll() throws Exception {
        monitors();
        locks();
        semaphores();
        timeOuts();
        waits();
        conditions();
        latches();
        barriers();
        queues();
        futures();
        parks();
        sleeps();
        joins();
        tasks();
        methods();
        addSums();
    }

    private static void makeOfManyObjects() throws Exception {
        Semaphore busy = new Semaphore(THREADS);
        Thread[] threads = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
            threads[i] = Tally.startThread("user-" + i, () -> useManyObjects(busy));
        }
        for (Thread thread : threads) {
            Tally.joinThread(thread);
        }
        addSums();
    }

    /** An object has one to three calls. Only one of the semaphores is used again and again. */
    private static void useManyObjects(Semaphore busy) throws Exception {
        for (int i = 0; i < OBJECTS / THREADS; i++) {
            FutureTask<String> future = new FutureTask<>(() -> "result");
            future.run();
            Semaphore semaphore = i % 10 == 0 ? busy : new Semaphore(1);
            for (int n = 0; n <= i % 3; n++) {
                if (isThere(i / 3)) {
                    getThere(future, 0);
                    acquireThere(semaphore, 0);
                } else {
                    getHere(future, 0);
                    acquireHere(semaphore, 0);
                }
                semaphore.release();
            }
        }
    }

    /** Whether the call of a round is made in the second method. */
    private static boolean isThere(int round) {
        return round % 3 == 0;
    }

    /** The one of two objects that a round uses. Both are used by both methods. */
    private static <T> T pick(T[] two, int round) {
        return two[round % 2];
    }

    // --- the account ----------------------------------------------------------------------------

    /** A call that has returned. */
    private static final class Made {
        final String event;
        final Object object;
        final String method;
        final long took;
        final long least;

        Made(String event, Object object, String method, long took, long least) {
            this.event = event;
            this.object = object;
            this.method = method;
            this.took = took;
            this.least = least;
        }
    }

    private static final class Sum {
        long calls;
        long total;
        long longest;
        long least;
    }

    /** Adds a call that has just returned. {@code begin}: before it; {@code least}: it waited so long. */
    private static void add(String event, Object o, String method, long begin, long least) {
        made.add(new Made(event, o, method, System.nanoTime() - begin, least));
    }

    /** Adds the sums of all calls up to now to the account. */
    private static void addSums() {
        Map<String, Sum> sums = new TreeMap<>();
        for (Made call; (call = made.poll()) != null; ) {
            String key = call.event + " " + Spelling.hash(call.object) + " " + call.method;
            Sum sum = sums.computeIfAbsent(key, k -> new Sum());
            sum.calls++;
            sum.total += call.took;
            sum.longest = Math.max(sum.longest, call.took);
            sum.least += call.least;
            if (call.object != null && sum.calls == 1) {
                String signature = Spelling.signature(call.object.getClass());
                Tally.addLine("object " + Spelling.hash(call.object) + " " + signature);
            }
        }
        sums.forEach((key, sum) -> Tally.addLine("sum " + key + " " + sum.calls + " " + sum.total + " "
                + sum.longest + " " + sum.least));
    }

    // --- rounds ----------------------------------------------------------------------------------

    /** What the waiter does in a round. */
    private interface Call {
        void make(Waiter waiter, int round) throws Exception;
    }

    /** A thread that makes a call in each round, when the driver says so. */
    private static final class Waiter {
        private final Thread thread;
        private volatile int begun; // rounds
        private volatile int released;
        private volatile int ended;

        /** The call must not block or wait anywhere else. */
        Waiter(int rounds, Call call) {
            thread = Tally.startThread("waiter", () -> makeCalls(rounds, call));
        }

        private void makeCalls(int rounds, Call call) throws Exception {
            for (int round = 1; round <= rounds; round++) {
                while (begun < round) {
                    Tally.yieldBriefly();
                }
                call.make(this, round);
                ended = round;
            }
        }

        /** Begins a round. Returns when the waiter has been in this state for {@link #PAUSE} ns. */
        void begin(int round, Thread.State state) {
            begun = round;
            for (Thread.State now; (now = thread.getState()) != state; ) {
                Tally.check(now != Thread.State.TERMINATED);
                Tally.yieldBriefly();
            }
            pause();
        }

        /** States that the call may return, for calls that may return too early. */
        void release() {
            released = begun;
        }

        boolean isReleased(int round) {
            return released >= round;
        }

        /** Waits for the end of the round that has begun. */
        void end() {
            while (ended < begun) {
                Tally.check(thread.isAlive() || ended == begun);
                Tally.yieldBriefly();
            }
        }
    }

    /** Lets {@link #PAUSE} ns pass without a call that Orca records. */
    private static void pause() {
        long end = System.nanoTime() + PAUSE;
        while (System.nanoTime() < end) {
            Tally.yieldBriefly();
        }
    }

    // --- locks ------------------------------------------------------------------------------------

    /** A thread is in the state BLOCKED before the JVM reports that, so the least time is not known. */
    private static void monitors() {
        Object[] locks = {new Object(), new int[1]};
        for (Object lock : locks) {
            Tally.countContention(lock, Thread.currentThread());
        }
        Waiter waiter = new Waiter(ROUNDS, (w, round) -> {
            if (isThere(round)) {
                enterThere(pick(locks, round));
            } else {
                enterHere(pick(locks, round));
            }
        });
        for (int round = 1; round <= ROUNDS; round++) {
            synchronized (pick(locks, round)) {
                waiter.begin(round, Thread.State.BLOCKED);
            }
            waiter.end();
        }
    }

    private static void enterHere(Object lock) {
        long begin = System.nanoTime();
        synchronized (lock) {
            add("MonitorContendedEnter", lock, "enterHere", begin, 0);
        }
    }

    private static void enterThere(Object lock) {
        long begin = System.nanoTime();
        synchronized (lock) {
            add("MonitorContendedEnter", lock, "enterThere", begin, 0);
        }
    }

    private static void locks() {
        ReentrantLock[] locks = {new ReentrantLock(), new ReentrantLock(true)};
        Waiter waiter = new Waiter(ROUNDS, (w, round) -> {
            if (isThere(round)) {
                lockThere(pick(locks, round));
            } else {
                lockHere(pick(locks, round));
            }
        });
        for (int round = 1; round <= ROUNDS; round++) {
            pick(locks, round).lock();
            waiter.begin(round, Thread.State.WAITING);
            pick(locks, round).unlock();
            waiter.end();
        }
    }

    private static void lockHere(ReentrantLock lock) {
        long begin = System.nanoTime();
        lock.lock();
        add("LockAcquire", lock, "lockHere", begin, PAUSE);
        lock.unlock();
    }

    private static void lockThere(ReentrantLock lock) {
        long begin = System.nanoTime();
        lock.lock();
        add("LockAcquire", lock, "lockThere", begin, PAUSE);
        lock.unlock();
    }

    private static void semaphores() throws Exception {
        Semaphore[] semaphores = {new Semaphore(0), new Semaphore(0, true)};
        Waiter waiter = new Waiter(ROUNDS, (w, round) -> {
            if (isThere(round)) {
                acquireThere(pick(semaphores, round), PAUSE);
            } else {
                acquireHere(pick(semaphores, round), PAUSE);
            }
        });
        for (int round = 1; round <= ROUNDS; round++) {
            waiter.begin(round, Thread.State.WAITING);
            pick(semaphores, round).release();
            waiter.end();
        }
        Semaphore free = new Semaphore(1);
        for (int i = 0; i < 20 * ROUNDS; i++) { // these need not wait
            acquireHere(free, 0);
            free.release();
        }
    }

    private static void acquireHere(Semaphore semaphore, long least) throws InterruptedException {
        long begin = System.nanoTime();
        semaphore.acquire();
        add("SemaphoreAcquire", semaphore, "acquireHere", begin, least);
    }

    private static void acquireThere(Semaphore semaphore, long least) throws InterruptedException {
        long begin = System.nanoTime();
        semaphore.acquire();
        add("SemaphoreAcquire", semaphore, "acquireThere", begin, least);
    }

    /** Calls that end with an event of their own, since they fail. */
    private static void timeOuts() throws InterruptedException {
        Semaphore shut = new Semaphore(0);
        for (int round = 1; round <= ROUNDS; round++) {
            long begin = System.nanoTime();
            Tally.check(!shut.tryAcquire(PAUSE, TimeUnit.NANOSECONDS));
            add("SemaphoreTryAcquire", shut, "timeOuts", begin, PAUSE);
        }
    }

    // --- waits that another thread ends ---------------------------------------------------------

    private static void waits() {
        Object[] objects = {new Object(), "an object"};
        Waiter waiter = new Waiter(ROUNDS, (w, round) -> {
            if (isThere(round)) {
                waitThere(pick(objects, round), w, round);
            } else {
                waitHere(pick(objects, round), w, round);
            }
        });
        for (int round = 1; round <= ROUNDS; round++) {
            waiter.begin(round, Thread.State.WAITING);
            synchronized (pick(objects, round)) {
                waiter.release();
                pick(objects, round).notify();
            }
            waiter.end();
        }
    }

    /** The driver releases the waiter while it owns the monitor. So only a notified wait is the last. */
    private static void waitHere(Object o, Waiter w, int round) throws InterruptedException {
        synchronized (o) {
            for (boolean isFirst = true; !w.isReleased(round); isFirst = false) {
                long begin = System.nanoTime();
                o.wait();
                long least = isFirst && w.isReleased(round) ? PAUSE : 0;
                add("ObjectWait", o, "waitHere", begin, least);
            }
        }
    }

    private static void waitThere(Object o, Waiter w, int round) throws InterruptedException {
        synchronized (o) {
            for (boolean isFirst = true; !w.isReleased(round); isFirst = false) {
                long begin = System.nanoTime();
                o.wait();
                long least = isFirst && w.isReleased(round) ? PAUSE : 0;
                add("ObjectWait", o, "waitThere", begin, least);
            }
        }
    }

    private static void conditions() {
        ReentrantLock lock = new ReentrantLock();
        Condition[] conditions = {lock.newCondition(), lock.newCondition()};
        Waiter waiter = new Waiter(ROUNDS, (w, round) -> {
            lock.lock();
            if (isThere(round)) {
                awaitThere(pick(conditions, round), w, round);
            } else {
                awaitHere(pick(conditions, round), w, round);
            }
            lock.unlock();
        });
        for (int round = 1; round <= ROUNDS; round++) {
            waiter.begin(round, Thread.State.WAITING);
            lock.lock();
            waiter.release();
            pick(conditions, round).signal();
            lock.unlock();
            waiter.end();
        }
    }

    private static void awaitHere(Condition condition, Waiter w, int round) throws InterruptedException {
        for (boolean isFirst = true; !w.isReleased(round); isFirst = false) {
            long begin = System.nanoTime();
            condition.await();
            long least = isFirst && w.isReleased(round) ? PAUSE : 0;
            add("ConditionAwait", condition, "awaitHere", begin, least);
        }
    }

    private static void awaitThere(Condition condition, Waiter w, int round) throws InterruptedException {
        for (boolean isFirst = true; !w.isReleased(round); isFirst = false) {
            long begin = System.nanoTime();
            condition.await();
            long least = isFirst && w.isReleased(round) ? PAUSE : 0;
            add("ConditionAwait", condition, "awaitThere", begin, least);
        }
    }

    /** Each round has a latch of its own. */
    private static void latches() {
        CountDownLatch[] latches = new CountDownLatch[OWN_ROUNDS + 1];
        for (int round = 1; round <= OWN_ROUNDS; round++) {
            latches[round] = new CountDownLatch(1);
        }
        Waiter waiter = new Waiter(OWN_ROUNDS, (w, round) -> {
            awaitShut(latches[round]);
            awaitOpen(latches[round]);
        });
        for (int round = 1; round <= OWN_ROUNDS; round++) {
            waiter.begin(round, Thread.State.WAITING);
            latches[round].countDown();
            waiter.end();
        }
    }

    private static void awaitShut(CountDownLatch latch) throws InterruptedException {
        long begin = System.nanoTime();
        latch.await();
        add("LatchAwait", latch, "awaitShut", begin, PAUSE);
    }

    private static void awaitOpen(CountDownLatch latch) throws InterruptedException {
        long begin = System.nanoTime();
        latch.await();
        add("LatchAwait", latch, "awaitOpen", begin, 0);
    }

    /** The driver comes last, and so runs the action, whose call is inside another recorded call. */
    private static void barriers() throws Exception {
        CyclicBarrier[] barriers = {new CyclicBarrier(2), new CyclicBarrier(2, ShortCalls::actInside)};
        Waiter waiter = new Waiter(ROUNDS, (w, round) -> comeFirst(pick(barriers, round)));
        for (int round = 1; round <= ROUNDS; round++) {
            waiter.begin(round, Thread.State.WAITING);
            comeLast(pick(barriers, round));
            waiter.end();
        }
    }

    private static void comeFirst(CyclicBarrier barrier) throws Exception {
        long begin = System.nanoTime();
        barrier.await();
        add("BarrierAwait", barrier, "comeFirst", begin, PAUSE);
    }

    private static void comeLast(CyclicBarrier barrier) throws Exception {
        long begin = System.nanoTime();
        barrier.await();
        add("BarrierAwait", barrier, "comeLast", begin, 0);
    }

    private static void actInside() {
        try {
            long begin = System.nanoTime();
            Thread.sleep(1);
            add("ThreadSleep", null, "actInside", begin, 1_000_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void queues() throws InterruptedException {
        LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
        Waiter waiter = new Waiter(ROUNDS, (w, round) -> {
            if (isThere(round)) {
                takeThere(queue);
            } else {
                takeHere(queue);
            }
        });
        for (int round = 1; round <= ROUNDS; round++) {
            waiter.begin(round, Thread.State.WAITING);
            put(queue);
            waiter.end();
        }
    }

    private static void takeHere(LinkedBlockingQueue<String> queue) throws InterruptedException {
        long begin = System.nanoTime();
        queue.take();
        add("QueueRemove", queue, "takeHere", begin, PAUSE);
    }

    private static void takeThere(LinkedBlockingQueue<String> queue) throws InterruptedException {
        long begin = System.nanoTime();
        queue.take();
        add("QueueRemove", queue, "takeThere", begin, PAUSE);
    }

    private static void put(LinkedBlockingQueue<String> queue) throws InterruptedException {
        long begin = System.nanoTime();
        queue.put("item");
        add("QueueInsert", queue, "put", begin, 0);
    }

    /** Each round has a future of its own. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void futures() {
        FutureTask<String>[] futures = new FutureTask[OWN_ROUNDS + 1];
        for (int round = 1; round <= OWN_ROUNDS; round++) {
            futures[round] = new FutureTask<>(() -> "result");
        }
        Waiter waiter = new Waiter(OWN_ROUNDS, (w, round) -> {
            getHere(futures[round], PAUSE);
            getThere(futures[round], 0); // it is done
        });
        for (int round = 1; round <= OWN_ROUNDS; round++) {
            waiter.begin(round, Thread.State.WAITING);
            futures[round].run();
            waiter.end();
        }
    }

    private static void getHere(FutureTask<String> future, long least) throws Exception {
        long begin = System.nanoTime();
        future.get();
        add("FutureAwait", future, "getHere", begin, least);
    }

    private static void getThere(FutureTask<String> future, long least) throws Exception {
        long begin = System.nanoTime();
        future.get();
        add("FutureAwait", future, "getThere", begin, least);
    }

    /** A park may return too early, so its least time is not known. One of the two has no blocker. */
    private static void parks() {
        Object[] blockers = {new Object(), null};
        Waiter waiter = new Waiter(ROUNDS, (w, round) -> {
            if (isThere(round)) {
                parkThere(pick(blockers, round), w, round);
            } else {
                parkHere(pick(blockers, round), w, round);
            }
        });
        for (int round = 1; round <= ROUNDS; round++) {
            waiter.begin(round, Thread.State.WAITING);
            waiter.release();
            LockSupport.unpark(waiter.thread);
            waiter.end();
        }
    }

    private static void parkHere(Object blocker, Waiter w, int round) {
        while (!w.isReleased(round)) {
            long begin = System.nanoTime();
            LockSupport.park(blocker);
            add("ThreadPark", blocker, "parkHere", begin, 0);
        }
    }

    private static void parkThere(Object blocker, Waiter w, int round) {
        while (!w.isReleased(round)) {
            long begin = System.nanoTime();
            LockSupport.park(blocker);
            add("ThreadPark", blocker, "parkThere", begin, 0);
        }
    }

    // --- threads, tasks and methods ---------------------------------------------------------------

    private static void sleeps() throws InterruptedException {
        for (int round = 1; round <= ROUNDS; round++) {
            if (isThere(round)) {
                sleepThere();
            } else {
                sleepHere();
            }
        }
    }

    private static void sleepHere() throws InterruptedException {
        long begin = System.nanoTime();
        Thread.sleep(PAUSE / 1_000_000);
        add("ThreadSleep", null, "sleepHere", begin, PAUSE);
    }

    private static void sleepThere() throws InterruptedException {
        long begin = System.nanoTime();
        Thread.sleep(PAUSE / 1_000_000);
        add("ThreadSleep", null, "sleepThere", begin, PAUSE);
    }

    /** Each round has a thread of its own, which ends when the waiter waits for that. */
    private static void joins() {
        Thread[] threads = new Thread[OWN_ROUNDS + 1];
        Waiter waiter = new Waiter(OWN_ROUNDS, (w, round) -> {
            joinHere(threads[round], PAUSE);
            joinThere(threads[round], 0); // it has ended
        });
        for (int round = 1; round <= OWN_ROUNDS; round++) {
            int mine = round;
            threads[round] = Tally.startThread("joined", () -> {
                while (!waiter.isReleased(mine)) {
                    Tally.yieldBriefly();
                }
            });
            waiter.begin(round, Thread.State.WAITING);
            waiter.release();
            waiter.end();
        }
    }

    private static void joinHere(Thread thread, long least) throws InterruptedException {
        long begin = System.nanoTime();
        thread.join();
        add("ThreadJoin", thread, "joinHere", begin, least);
    }

    private static void joinThere(Thread thread, long least) throws InterruptedException {
        long begin = System.nanoTime();
        thread.join();
        add("ThreadJoin", thread, "joinThere", begin, least);
    }

    /** In each round the only thread of a pool runs a task until another one has waited in the queue. */
    private static void tasks() {
        LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, queue);
        pool.prestartAllCoreThreads(); // the first task of a thread would not be taken from the queue
        for (int round = 1; round <= OWN_ROUNDS; round++) {
            Task first = new Task("executeFirst", 0);
            Task second = new Task("executeSecond", PAUSE);
            executeFirst(pool, first);
            first.awaitRun();
            executeSecond(pool, second);
            pause();
            first.isReleased = true;
            second.isReleased = true;
            second.awaitRun();
        }
        pool.shutdown();
    }

    private static final class Task implements Runnable {
        private final String method;
        private final long least;
        private long begin;
        private volatile boolean isRunning;
        private volatile boolean isReleased;

        Task(String method, long least) {
            this.method = method;
            this.least = least;
        }

        @Override
        public void run() {
            add("TaskQueued", null, method, begin, least);
            isRunning = true;
            while (!isReleased) {
                Tally.yieldBriefly();
            }
        }

        void awaitRun() {
            while (!isRunning) {
                Tally.yieldBriefly();
            }
        }
    }

    private static void executeFirst(ThreadPoolExecutor pool, Task task) {
        task.begin = System.nanoTime();
        pool.execute(task);
    }

    private static void executeSecond(ThreadPoolExecutor pool, Task task) {
        task.begin = System.nanoTime();
        pool.execute(task);
    }

    /** Calls of methods that the option {@code track} names. One contains others. */
    private static void methods() throws InterruptedException {
        for (int round = 1; METHODS && round <= ROUNDS; round++) {
            long begin = System.nanoTime();
            stepOutside();
            add("MethodEntry", null, "stepOutside", begin, 3 * PAUSE);
        }
    }

    private static void stepOutside() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            long begin = System.nanoTime();
            stepInside();
            add("MethodEntry", null, "stepInside", begin, PAUSE);
        }
    }

    private static void stepInside() throws InterruptedException {
        sleepHere();
    }
}
