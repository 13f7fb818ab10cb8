package verdicts;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The semantics of the steps. It follows a program that a JVM executes one step at a time, so it
 * knows who owns what, and who waits for whom. A thread that runs may do all that the language
 * permits.
 */
final class Machine {
    static final int NUM_MONITORS = 3;
    static final int NUM_LOCKS = 3;
    static final int NUM_READ_WRITE_LOCKS = 2;
    static final int[] PERMITS = {1, 2};
    static final int NUM_CREDITS = 2;
    /** Capacities; 0 is a queue without room. */
    static final int[] ROOMS = {1, 2, 0};
    static final int NUM_FUTURES = 3;
    static final int NUM_VALUES = 2;
    static final int[] COUNTS = {1, 2};
    static final int[] PARTIES = {2, 3};
    static final int[] POOLS = {1, 2};
    static final int NUM_TASKS = 6;

    private static final int NOBODY = -1;

    enum State {
        /** Between two steps. */
        READY,
        /** In a step, in which it may wait. */
        IN,
        /** A thread of a pool, without a task. */
        FREE,
        /** In its last step, out of which it may come at any time. */
        OUTSIDE,
        ENDED
    }

    /** A thread. */
    static final class Walker {
        final int id;
        final String name;
        final int pool;
        State state = State.READY;
        Op op;
        /** It was notified, met, or handed over to; what remains is to get a lock back. */
        boolean isCalled;
        /** The number of its step among those of all threads. */
        int order;
        int task = NOBODY;
        final int[] permits = new int[PERMITS.length];
        /** The blocks that it is in: monitors, futures, tasks. */
        final ArrayDeque<Op> blocks = new ArrayDeque<>();

        Walker(int id, String name, int pool) {
            this.id = id;
            this.name = name;
            this.pool = pool;
        }
    }

    final List<Walker> walkers = new ArrayList<>();
    private final int[] monitors = filled(NUM_MONITORS, NOBODY);
    private final int[] locks = filled(NUM_LOCKS, NOBODY);
    private final int[] writers = filled(NUM_READ_WRITE_LOCKS, NOBODY);
    private final List<Set<Integer>> readers = new ArrayList<>();
    private final List<List<Walker>> readWriteQueues = new ArrayList<>();
    private final List<List<Walker>> monitorWaiters = new ArrayList<>();
    private final List<List<Walker>> conditionWaiters = new ArrayList<>();
    private final int[] freePermits = PERMITS.clone();
    private final int[] credits = new int[NUM_CREDITS];
    private final int[] elements = new int[ROOMS.length];
    private final int[] runners = filled(NUM_FUTURES, NOBODY);
    private final boolean[] futuresDone = new boolean[NUM_FUTURES];
    private final boolean[] valuesDone = new boolean[NUM_VALUES];
    private final int[] counts = COUNTS.clone();
    final List<List<Integer>> queued = new ArrayList<>();
    final int[] workers = new int[POOLS.length];
    private final int[] poolOfTask = filled(NUM_TASKS, NOBODY);
    private final boolean[] tasksDone = new boolean[NUM_TASKS];
    int numTasks;
    private int numSteps;

    /** The JVM does not tell which virtual thread owns a monitor. */
    private final boolean areMonitorsPlain;

    Machine(boolean areMonitorsPlain) {
        this.areMonitorsPlain = areMonitorsPlain;
        fill(readers, NUM_READ_WRITE_LOCKS);
        for (int i = 0; i < NUM_READ_WRITE_LOCKS; i++) {
            readWriteQueues.add(new ArrayList<>());
        }
        for (int i = 0; i < NUM_MONITORS; i++) {
            monitorWaiters.add(new ArrayList<>());
        }
        for (int i = 0; i < NUM_LOCKS; i++) {
            conditionWaiters.add(new ArrayList<>());
        }
        for (int i = 0; i < POOLS.length; i++) {
            queued.add(new ArrayList<>());
        }
    }

    private static void fill(List<Set<Integer>> list, int num) {
        for (int i = 0; i < num; i++) {
            list.add(new HashSet<>());
        }
    }

    private static int[] filled(int num, int value) {
        int[] array = new int[num];
        Arrays.fill(array, value);
        return array;
    }

    Walker add(String name, int pool) {
        Walker w = new Walker(walkers.size(), name, pool);
        walkers.add(w);
        return w;
    }

    // --- which steps a program may make ------------------------------------------------------

    /** Returns how many objects the step can be on. */
    int numObjects(Op.Step step) {
        switch (step) {
            case ENTER:
            case EXIT:
            case WAIT:
            case NOTIFY:
            case NOTIFY_ALL:
                return NUM_MONITORS;
            case LOCK:
            case UNLOCK:
            case AWAIT:
            case SIGNAL:
            case SIGNAL_ALL:
                return NUM_LOCKS;
            case READ:
            case UNREAD:
            case WRITE:
            case UNWRITE:
                return NUM_READ_WRITE_LOCKS;
            case ACQUIRE:
            case RELEASE:
                return PERMITS.length;
            case TAKE_CREDIT:
            case GIVE_CREDIT:
                return NUM_CREDITS;
            case PUT:
            case TAKE:
                return ROOMS.length;
            case RUN:
            case RETURN:
            case GET:
                return NUM_FUTURES;
            case COMPLETE:
            case GET_VALUE:
                return NUM_VALUES;
            case COUNT_DOWN:
            case AWAIT_LATCH:
                return COUNTS.length;
            case MEET:
                return PARTIES.length;
            case JOIN:
                return walkers.size();
            case SUBMIT:
                return POOLS.length;
            case GET_TASK:
                return numTasks;
            default:
                return 1;
        }
    }

    boolean isValid(Walker w, Op op) {
        int on = op.on;
        switch (op.step) {
            case ENTER:
                return monitors[on] != w.id;
            case EXIT:
            case RETURN:
                return isInnermost(w, op.step == Op.Step.EXIT ? Op.Step.ENTER : Op.Step.RUN, on);
            case END_TASK:
                return w.blocks.size() == 1 && w.task != NOBODY;
            case WAIT:
            case NOTIFY:
            case NOTIFY_ALL:
                return monitors[on] == w.id;
            case LOCK:
                return locks[on] != w.id;
            case UNLOCK:
            case AWAIT:
            case SIGNAL:
            case SIGNAL_ALL:
                return locks[on] == w.id;
            case READ:
            case WRITE:
                return writers[on] != w.id && !readers.get(on).contains(w.id);
            case UNREAD:
                return readers.get(on).contains(w.id);
            case UNWRITE:
                return writers[on] == w.id;
            case RELEASE:
                return w.permits[on] > 0;
            case RUN:
                return runners[on] == NOBODY && !futuresDone[on];
            case COMPLETE:
                return !valuesDone[on];
            case COUNT_DOWN:
                return counts[on] > 0;
            case JOIN:
                return on != w.id && on != 0 && walkers.get(on).pool == NOBODY;
            case SUBMIT:
                return numTasks < NUM_TASKS;
            case GET_TASK:
                return on < numTasks && w.task != on;
            case END:
                return w.pool == NOBODY && !isInBlock(w, Op.Step.RUN);
            default:
                return true;
        }
    }

    private static boolean isInnermost(Walker w, Op.Step step, int on) {
        Op block = w.blocks.peek();
        return block != null && block.step == step && block.on == on;
    }

    private static boolean isInBlock(Walker w, Op.Step step) {
        return w.blocks.stream().anyMatch(block -> block.step == step);
    }

    // --- a step ------------------------------------------------------------------------------

    void begin(Walker w, Op op) {
        int on = op.on;
        w.op = op;
        w.state = State.IN;
        w.isCalled = false;
        w.order = numSteps++;
        switch (op.step) {
            case WAIT:
                monitors[on] = NOBODY;
                monitorWaiters.get(on).add(w);
                break;
            case AWAIT:
                locks[on] = NOBODY;
                conditionWaiters.get(on).add(w);
                break;
            case READ:
            case WRITE:
                if (!canFinish(w)) {
                    readWriteQueues.get(on).add(w);
                }
                break;
            case PUT:
            case TAKE:
                if (ROOMS[on] == 0) {
                    handOver(w);
                }
                break;
            case MEET:
                meet(on);
                break;
            case RUN:
                runners[on] = w.id;
                break;
            default:
                break;
        }
    }

    /** A queue without room: the longest wait of the other side ends. */
    private void handOver(Walker w) {
        Op.Step other = w.op.step == Op.Step.PUT ? Op.Step.TAKE : Op.Step.PUT;
        Walker first = null;
        for (Walker o : waitersIn(other, w.op.on)) {
            if (!o.isCalled && (first == null || o.order < first.order)) {
                first = o;
            }
        }
        if (first != null) {
            first.isCalled = w.isCalled = true;
        }
    }

    private void meet(int on) {
        List<Walker> met = waitersIn(Op.Step.MEET, on);
        met.removeIf(o -> o.isCalled);
        if (met.size() == PARTIES[on]) {
            met.forEach(o -> o.isCalled = true);
        }
    }

    private List<Walker> waitersIn(Op.Step step, int on) {
        List<Walker> found = new ArrayList<>();
        for (Walker o : walkers) {
            if (o.state == State.IN && o.op.step == step && o.op.on == on) {
                found.add(o);
            }
        }
        return found;
    }

    /** Whether a thread that is in a step can finish it now. */
    boolean canFinish(Walker w) {
        int on = w.op.on;
        switch (w.op.step) {
            case ENTER:
                return monitors[on] == NOBODY;
            case WAIT:
                return w.isCalled && monitors[on] == NOBODY;
            case LOCK:
                return locks[on] == NOBODY;
            case AWAIT:
                return w.isCalled && locks[on] == NOBODY;
            case READ:
                return writers[on] == NOBODY && !isBehindWriter(w);
            case WRITE:
                return writers[on] == NOBODY && readers.get(on).isEmpty() && isFirst(w);
            case ACQUIRE:
                return freePermits[on] > 0;
            case TAKE_CREDIT:
                return credits[on] > 0;
            case PUT:
                return ROOMS[on] == 0 ? w.isCalled : elements[on] < ROOMS[on];
            case TAKE:
                return ROOMS[on] == 0 ? w.isCalled : elements[on] > 0;
            case GET:
                return futuresDone[on];
            case GET_VALUE:
                return valuesDone[on];
            case GET_TASK:
                return tasksDone[on];
            case AWAIT_LATCH:
                return counts[on] == 0;
            case MEET:
                return w.isCalled;
            case JOIN:
                return walkers.get(on).state == State.ENDED;
            default:
                return true;
        }
    }

    /** A reader is behind a writer that waits for longer. */
    private boolean isBehindWriter(Walker w) {
        return firstQueued(w) != null;
    }

    private boolean isFirst(Walker w) {
        List<Walker> queue = readWriteQueues.get(w.op.on);
        return queue.isEmpty() || queue.get(0) == w;
    }

    /** Returns the writer in the queue for which a reader waits. A new reader only looks at the first. */
    private Walker firstQueued(Walker reader) {
        List<Walker> queue = readWriteQueues.get(reader.op.on);
        if (!queue.contains(reader)) {
            Walker first = queue.isEmpty() ? null : queue.get(0);
            return first != null && first.op.step == Op.Step.WRITE ? first : null;
        }
        for (Walker o : queue) {
            if (o == reader) {
                return null;
            }
            if (o.op.step == Op.Step.WRITE) {
                return o;
            }
        }
        return null;
    }

    /** Takes what a finished step changes. */
    void finish(Walker w) {
        Op op = w.op;
        int on = op.on;
        w.state = State.READY;
        switch (op.step) {
            case ENTER:
                monitors[on] = w.id;
                w.blocks.push(op);
                break;
            case WAIT:
                monitors[on] = w.id;
                break;
            case EXIT:
                monitors[on] = NOBODY;
                w.blocks.pop();
                break;
            case NOTIFY:
                call(monitorWaiters.get(on), 1);
                break;
            case NOTIFY_ALL:
                call(monitorWaiters.get(on), walkers.size());
                break;
            case LOCK:
            case AWAIT:
                locks[on] = w.id;
                break;
            case UNLOCK:
                locks[on] = NOBODY;
                break;
            case SIGNAL:
                call(conditionWaiters.get(on), 1);
                break;
            case SIGNAL_ALL:
                call(conditionWaiters.get(on), walkers.size());
                break;
            case READ:
                readWriteQueues.get(on).remove(w);
                readers.get(on).add(w.id);
                break;
            case UNREAD:
                readers.get(on).remove(w.id);
                break;
            case WRITE:
                readWriteQueues.get(on).remove(w);
                writers[on] = w.id;
                break;
            case UNWRITE:
                writers[on] = NOBODY;
                break;
            case ACQUIRE:
                freePermits[on]--;
                w.permits[on]++;
                break;
            case RELEASE:
                freePermits[on]++;
                w.permits[on]--;
                break;
            case TAKE_CREDIT:
                credits[on]--;
                break;
            case GIVE_CREDIT:
                credits[on]++;
                break;
            case PUT:
                elements[on] += ROOMS[on] == 0 ? 0 : 1;
                break;
            case TAKE:
                elements[on] -= ROOMS[on] == 0 ? 0 : 1;
                break;
            case RUN:
                w.blocks.push(op);
                break;
            case RETURN:
                futuresDone[on] = true;
                w.blocks.pop();
                break;
            case COMPLETE:
                valuesDone[on] = true;
                break;
            case COUNT_DOWN:
                counts[on]--;
                break;
            case SUBMIT:
                submit(on);
                break;
            case END_TASK:
                tasksDone[w.task] = true;
                w.task = NOBODY;
                w.blocks.pop();
                w.state = State.FREE;
                break;
            case END:
                end(w);
                break;
            default:
                break;
        }
    }

    private static void call(List<Walker> waiters, int num) {
        for (int i = 0; i < num && !waiters.isEmpty(); i++) {
            waiters.remove(0).isCalled = true;
        }
    }

    private void submit(int pool) {
        poolOfTask[numTasks] = pool;
        queued.get(pool).add(numTasks++);
        if (workers[pool] < POOLS[pool]) {
            add("pool" + pool + "-" + workers[pool]++, pool).state = State.FREE;
        }
    }

    /** A free thread of a pool has taken a task. */
    void beginTask(Walker w, int task) {
        queued.get(w.pool).remove(Integer.valueOf(task));
        w.task = task;
        w.state = State.READY;
        w.blocks.push(new Op(Op.Step.SUBMIT, w.pool, Op.Limit.NONE));
    }

    /** Monitors are released, all else is kept for ever. */
    private void end(Walker w) {
        w.state = State.ENDED;
        for (int i = 0; i < NUM_MONITORS; i++) {
            if (monitors[i] == w.id) {
                monitors[i] = NOBODY;
            }
        }
    }

    // --- the truth ---------------------------------------------------------------------------

    /** What a thread needs: all of these threads, or any one of them; and perhaps anyone at all. */
    private static final class Need {
        final List<Integer> threads = new ArrayList<>();
        boolean isAny;
        boolean isAnyone;

        static Need anyone() {
            Need n = new Need();
            n.isAnyone = true;
            return n;
        }

        Need and(int thread) {
            if (thread != NOBODY) {
                threads.add(thread);
            }
            return this;
        }
    }

    /** What is plain to see: the owners of locks, and threads whose end or task another one awaits. */
    private Need findPlainNeed(Walker w) {
        int on = w.op.on;
        switch (w.op.step) {
            case ENTER:
                return areMonitorsPlain ? new Need().and(monitors[on]) : Need.anyone();
            case LOCK:
                return new Need().and(locks[on]);
            case READ:
            case WRITE:
                return writers[on] != NOBODY ? new Need().and(writers[on]) : Need.anyone();
            case JOIN:
                return new Need().and(on);
            case GET_TASK:
                return findNeedOfTask(on);
            default:
                return Need.anyone();
        }
    }

    private Need findNeed(Walker w) {
        int on = w.op.on;
        Need need = new Need();
        switch (w.op.step) {
            case ENTER:
                return need.and(monitors[on]);
            case READ:
                Walker writer = firstQueued(w);
                return writers[on] == NOBODY && writer != null ? need.and(writer.id) : findPlainNeed(w);
            case WRITE:
                need.threads.addAll(readers.get(on));
                for (Walker o : readWriteQueues.get(on)) {
                    if (o.order < w.order) {
                        need.threads.add(o.id);
                    }
                }
                return need.and(writers[on]);
            case WAIT:
                need.isAnyone = !w.isCalled;
                return need.and(monitors[on]);
            case AWAIT:
                need.isAnyone = !w.isCalled;
                return need.and(locks[on]);
            case ACQUIRE:
                need.isAny = true;
                for (Walker o : walkers) {
                    if (o.permits[on] > 0) {
                        need.threads.add(o.id);
                    }
                }
                return need;
            case GET:
                return runners[on] == NOBODY ? Need.anyone() : need.and(runners[on]);
            default:
                return findPlainNeed(w);
        }
    }

    private Need findNeedOfTask(int task) {
        Need need = new Need();
        need.isAny = true;
        for (Walker o : walkers) {
            if (o.task == task) {
                return new Need().and(o.id);
            }
            if (o.pool == poolOfTask[task]) {
                need.threads.add(o.id);
            }
        }
        return need;
    }

    /** Which threads can never go on, whatever those do that can. */
    final class Verdict {
        final Set<Integer> stuck = new HashSet<>();
        boolean anyRuns;

        /** {@code isPlain}: of what is plain to see. {@code limitsEnd}: to give up is progress. */
        Verdict(boolean isPlain, boolean limitsEnd) {
            for (Walker w : walkers) {
                boolean runs = w.state == State.READY || w.state == State.OUTSIDE
                        || endsByItself(w, limitsEnd) || (isPlain && hasHiddenLimit(w));
                anyRuns |= runs;
                if (!runs && w.state != State.ENDED) {
                    stuck.add(w.id);
                }
            }
            while (stuck.removeIf(id -> canGoOn(walkers.get(id), isPlain))) {
                anyRuns = true;
            }
        }

        /** Only a sample shows whether a limit is zero. */
        private boolean hasHiddenLimit(Walker w) {
            return w.state == State.IN && w.op.limit == Op.Limit.ZERO;
        }

        private boolean endsByItself(Walker w, boolean limitsEnd) {
            boolean isLimited = w.state == State.IN && w.op.limit == Op.Limit.HOUR;
            return isLimited && (limitsEnd || !w.op.waitsForResult());
        }

        private boolean canGoOn(Walker w, boolean isPlain) {
            if (w.state == State.FREE) {
                return anyRuns;
            }
            Need need = isPlain ? findPlainNeed(w) : findNeed(w);
            boolean can = !need.isAnyone || anyRuns;
            if (need.isAny) {
                return can && need.threads.stream().anyMatch(id -> runs(w, id));
            }
            return can && need.threads.stream().allMatch(id -> runs(w, id));
        }

        private boolean runs(Walker waiter, int id) {
            boolean hasEnded = walkers.get(id).state == State.ENDED;
            return hasEnded ? waiter.op.step == Op.Step.JOIN : !stuck.contains(id);
        }
    }

    /** Returns the threads of each ring of owners of locks and joined threads, by name. */
    List<List<String>> findRings() {
        List<List<String>> rings = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (Walker w : walkers) {
            List<Integer> walk = new ArrayList<>();
            int at = w.id;
            while (at != NOBODY && !seen.contains(at)) {
                seen.add(at);
                walk.add(at);
                at = findOnlyOwner(walkers.get(at));
            }
            int first = walk.indexOf(at);
            if (first >= 0) {
                List<String> ring = new ArrayList<>();
                walk.subList(first, walk.size()).forEach(id -> ring.add(walkers.get(id).name));
                rings.add(ring);
            }
        }
        return rings;
    }

    private int findOnlyOwner(Walker w) {
        if (w.state != State.IN || w.op.limit != Op.Limit.NONE) {
            return NOBODY;
        }
        List<Integer> owners = findPlainNeed(w).threads;
        return owners.size() == 1 ? owners.get(0) : NOBODY;
    }

    /** Returns the names of the threads that a waiting thread needs. */
    List<String> findOwners(Walker w) {
        List<String> names = new ArrayList<>();
        if (w.state == State.IN) {
            findNeed(w).threads.forEach(id -> names.add(walkers.get(id).name));
        }
        return names;
    }
}
