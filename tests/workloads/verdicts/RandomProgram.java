package verdicts;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Executes a random program, one step at a time, until no thread can go on, except for those that
 * sleep or wait for the outside. Then it prints the truth about each thread, and "ready". With
 * {@code -Dvirtual=true} the threads are virtual, except for main and those of pools.
 *
 * <pre>
 * thread NAME STATE STEP PLAIN STUCK PLAIN STUCK OWNERS
 *     STATE in, free, outside or ended. PLAIN, STUCK: whether the thread can never go on, by what is
 *     plain to see, and by all that the program knows; first if a time limit can end a wait, then
 *     if not. OWNERS: the threads that it needs.
 * runs PLAIN STUCK PLAIN STUCK
 *     whether any thread can go on, in the same four cases
 * ring NAME...
 *     threads that wait for each other, for locks or the ends of threads
 * </pre>
 */
final class RandomProgram {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final Op.Step[] STEPS = Op.Step.values();
    private static final boolean VIRTUAL = Boolean.getBoolean("virtual");

    private final Random random;
    private final Things things = new Things();
    private final Machine machine = new Machine(!VIRTUAL);
    private final List<Actor> actors = new ArrayList<>(); // of the walkers
    private final boolean isHang;
    private final Set<Op.Step> menu;

    private RandomProgram(long seed) {
        random = new Random(seed);
        isHang = random.nextInt(2) > 0;
        menu = pickMenu();
    }

    public static void main(String[] args) throws Exception {
        new RandomProgram(Long.parseLong(args[0])).execute();
    }

    private void execute() throws InterruptedException {
        Actor main = new Actor(things);
        main.thread = Thread.currentThread();
        add(main, machine.add("main", -1));
        int numThreads = 2 + random.nextInt(5);
        for (int i = 1; i <= numThreads; i++) {
            addThread("walker-" + i);
        }
        machine.walkers.get(0).state = Machine.State.OUTSIDE;
        for (int left = 10 + random.nextInt(40); left > 0; left--) {
            Machine.Walker walker = pickReady();
            Op op = walker == null ? null : pickOp(walker);
            // Else most threads would soon wait.
            if (op != null && (!waits(walker, op) || random.nextInt(3) == 0)) {
                makeStep(walker, op);
            }
        }
        finishAll();
        finishMain(main);
    }

    private void add(Actor actor, Machine.Walker walker) {
        Actor.actors.put(actor.thread, actor);
        actors.add(actor);
        if (walker.pool < 0) {
            things.walkers.add(actor.thread);
        }
    }

    private void addThread(String name) {
        Actor actor = new Actor(things);
        actor.thread = newThread(actor::run, name);
        add(actor, machine.add(name, -1));
        actor.thread.start();
    }

    private static Thread newThread(Runnable body, String name) {
        if (!VIRTUAL) {
            return new Thread(body, name);
        }
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            type.getMethod("name", String.class).invoke(builder, name);
            return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, body);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    // --- choices -----------------------------------------------------------------------------

    /** Picks the steps of the program: locks and joins, which make rings, or all, or some. */
    private Set<Op.Step> pickMenu() {
        EnumSet<Op.Step> all = EnumSet.range(Op.Step.ENTER, Op.Step.END_TASK);
        EnumSet<Op.Step> owned = EnumSet.of(Op.Step.ENTER, Op.Step.LOCK, Op.Step.READ, Op.Step.WRITE, Op.Step.JOIN);
        switch (random.nextInt(5)) {
            case 0:
                return all;
            case 1:
                all.removeIf(step -> random.nextBoolean());
                all.addAll(owned);
                return all;
            case 2:
                owned.addAll(EnumSet.of(Op.Step.EXIT, Op.Step.UNLOCK, Op.Step.WAIT, Op.Step.AWAIT, Op.Step.ACQUIRE));
                return owned;
            case 3:
                owned.remove(Op.Step.READ);
                owned.addAll(EnumSet.of(Op.Step.EXIT, Op.Step.SUBMIT, Op.Step.GET_TASK, Op.Step.END_TASK));
                return owned;
            default:
                owned.remove(random.nextBoolean() ? Op.Step.READ : Op.Step.JOIN);
                return owned;
        }
    }

    private Machine.Walker pickReady() {
        List<Machine.Walker> ready = new ArrayList<>();
        for (Machine.Walker w : machine.walkers) {
            if (w.state == Machine.State.READY) {
                ready.add(w);
            }
        }
        return ready.isEmpty() ? null : ready.get(random.nextInt(ready.size()));
    }

    /** Returns null if no choice was valid. */
    private Op pickOp(Machine.Walker walker) {
        for (int i = 0; i < 200; i++) {
            Op.Step step = STEPS[random.nextInt(Op.Step.SLEEP.ordinal())];
            int num = machine.numObjects(step);
            if (num == 0 || !menu.contains(step)) {
                continue;
            }
            Op op = new Op(step, random.nextInt(num), pickLimit(step));
            if (machine.isValid(walker, op)) {
                return op;
            }
        }
        return null;
    }

    private Op.Limit pickLimit(Op.Step step) {
        int number = random.nextInt(12);
        boolean canBeZero = step == Op.Step.WAIT || step == Op.Step.JOIN;
        // A time limit of a virtual thread is a task of another thread, which then waits until that time.
        if (VIRTUAL) {
            return Op.Limit.NONE;
        }
        if (number == 0 && Op.canHaveLimit(step)) {
            return Op.Limit.HOUR;
        }
        return number < 4 && canBeZero ? Op.Limit.ZERO : Op.Limit.NONE;
    }

    /** Each thread that could go on comes to an end, waits, or waits for the outside. */
    private void finishAll() throws InterruptedException {
        Machine.Walker walker;
        while ((walker = pickReady()) != null) {
            Op op = pickLast(walker);
            makeStep(walker, op);
        }
    }

    /** A program that hangs has no thread that waits for the outside. */
    private Op pickEnd() {
        int first = Op.Step.SLEEP.ordinal(), end = Op.Step.END.ordinal();
        Op.Step step = isHang ? Op.Step.END : STEPS[first + random.nextInt(end + 1 - first)];
        return new Op(step, 0, Op.Limit.NONE);
    }

    private Op pickLast(Machine.Walker walker) {
        for (int i = random.nextBoolean() ? 20 : 0; i > 0; i--) {
            Op op = pickOp(walker);
            if (op != null && waits(walker, op)) {
                return op;
            }
        }
        Op last = pickEnd();
        if (machine.isValid(walker, last)) {
            return last;
        }
        Op block = walker.blocks.peek();
        switch (block.step) {
            case ENTER:
                return new Op(Op.Step.EXIT, block.on, Op.Limit.NONE);
            case RUN:
                return new Op(Op.Step.RETURN, block.on, Op.Limit.NONE);
            default:
                return new Op(Op.Step.END_TASK, 0, Op.Limit.NONE);
        }
    }

    /** Whether the step would wait now. It changes nothing. */
    private boolean waits(Machine.Walker walker, Op op) {
        switch (op.step) {
            case WAIT:
            case AWAIT:
                return true;
            case PUT:
            case TAKE:
            case MEET:
                return false;
            default:
                Op before = walker.op;
                walker.op = op;
                boolean can = machine.canFinish(walker);
                walker.op = before;
                return !can;
        }
    }

    // --- steps -------------------------------------------------------------------------------

    private void makeStep(Machine.Walker walker, Op op) throws InterruptedException {
        if (Boolean.getBoolean("trace")) {
            System.out.println("step " + walker.name + " " + op);
        }
        machine.begin(walker, op);
        actors.get(walker.id).tell(op);
        settle();
    }

    private void settle() throws InterruptedException {
        long begin = System.nanoTime();
        while (!isSettled()) {
            if (System.nanoTime() - begin > PATIENCE) {
                print();
                System.out.println("fault: the JVM does something else");
                System.exit(1);
            }
            Thread.sleep(1);
        }
    }

    private boolean isSettled() {
        boolean isSettled = true;
        for (int i = 0; i < machine.walkers.size(); i++) {
            Machine.Walker w = machine.walkers.get(i);
            Actor actor = findActor(w);
            if (actor == null) {
                return false;
            }
            if (w.state == Machine.State.FREE) {
                isSettled &= settleFree(w, actor);
            } else if (w.state == Machine.State.IN) {
                isSettled &= settleIn(w, actor);
            }
        }
        return isSettled;
    }

    /** The thread factory makes the actors of pools. */
    private Actor findActor(Machine.Walker w) {
        if (w.id < actors.size()) {
            return actors.get(w.id);
        }
        List<Actor> workers = things.workers.get(w.pool);
        int number = Integer.parseInt(w.name.substring(w.name.indexOf('-') + 1));
        if (workers.size() <= number) {
            return null;
        }
        actors.add(workers.get(number));
        return workers.get(number);
    }

    private boolean settleFree(Machine.Walker w, Actor actor) {
        List<Integer> queued = machine.queued.get(w.pool);
        int task = actor.task;
        if (queued.contains(task) && actor.isDone) {
            machine.beginTask(w, task);
            return false;
        }
        return queued.isEmpty() && actor.thread.getState() == Thread.State.WAITING;
    }

    private boolean settleIn(Machine.Walker w, Actor actor) {
        if (w.op.isOutside()) {
            if (!isThere(w.op.step, actor.thread.getState())) {
                return false;
            }
            w.state = Machine.State.OUTSIDE;
            return true;
        }
        if (isDone(w, actor)) {
            if (machine.canFinish(w)) {
                machine.finish(w);
            }
            return false;
        }
        return !machine.canFinish(w) && isWaiting(w.op, actor.thread.getState());
    }

    private static boolean isThere(Op.Step step, Thread.State state) {
        switch (step) {
            case SPIN:
            case ACCEPT:
            case SELECT:
                return state == Thread.State.RUNNABLE;
            case PROCESS:
            case WATCH:
            case TIMER:
            case SCHEDULED:
            case LATE_VALUE:
                return state == Thread.State.WAITING;
            default:
                return state == Thread.State.TIMED_WAITING;
        }
    }

    private boolean isDone(Machine.Walker w, Actor actor) {
        switch (w.op.step) {
            case END:
                return actor.thread.getState() == Thread.State.TERMINATED;
            case END_TASK:
                return things.tasks.get(w.task).isDone();
            default:
                return actor.isDone;
        }
    }

    private static boolean isWaiting(Op op, Thread.State state) {
        if (state == Thread.State.BLOCKED) {
            return op.step == Op.Step.ENTER || op.step == Op.Step.WAIT;
        }
        return state == Thread.State.WAITING || (op.limit == Op.Limit.HOUR && state == Thread.State.TIMED_WAITING);
    }

    // --- the end -----------------------------------------------------------------------------

    private void finishMain(Actor main) {
        Machine.Walker walker = machine.walkers.get(0);
        walker.state = Machine.State.READY;
        Op op = pickLastOfMain(walker);
        machine.begin(walker, op);
        if (op.isOutside()) {
            walker.state = Machine.State.OUTSIDE;
        } else if (op.step == Op.Step.END) {
            machine.finish(walker);
        }
        print();
        Thread witness = new Thread(() -> awaitMain(main.thread, op), "witness");
        witness.start();
        if (op.step != Op.Step.END) {
            main.makeStep(op);
        }
    }

    private Op pickLastOfMain(Machine.Walker walker) {
        for (int i = VIRTUAL || random.nextBoolean() ? 50 : 0; i > 0; i--) {
            Op op = pickOp(walker);
            if (op != null && op.step != Op.Step.WAIT && op.step != Op.Step.AWAIT && waits(walker, op)) {
                return op;
            }
        }
        // Virtual threads do not keep the JVM alive.
        return VIRTUAL ? new Op(Op.Step.SLEEP, 0, Op.Limit.NONE) : pickEnd();
    }

    private static void awaitMain(Thread main, Op op) {
        try {
            while (!isAtEnd(main.getState(), op)) {
                Thread.sleep(1);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        System.out.println("ready");
    }

    private static boolean isAtEnd(Thread.State state, Op op) {
        if (op.step == Op.Step.END) {
            return state == Thread.State.TERMINATED;
        }
        return op.isOutside() ? isThere(op.step, state) : isWaiting(op, state);
    }

    private void print() {
        Machine.Verdict[] verdicts = {
            machine.new Verdict(true, true), machine.new Verdict(false, true),
            machine.new Verdict(true, false), machine.new Verdict(false, false),
        };
        StringBuilder text = new StringBuilder();
        for (Machine.Walker w : machine.walkers) {
            text.append("thread ").append(w.name).append(' ').append(w.state.name().toLowerCase());
            text.append(' ').append(w.op);
            for (Machine.Verdict verdict : verdicts) {
                text.append(verdict.stuck.contains(w.id) ? " 1" : " 0");
            }
            machine.findOwners(w).forEach(name -> text.append(' ').append(name));
            text.append('\n');
        }
        text.append("runs");
        for (Machine.Verdict verdict : verdicts) {
            text.append(verdict.anyRuns ? " 1" : " 0");
        }
        text.append('\n');
        for (List<String> ring : machine.findRings()) {
            text.append("ring ").append(String.join(" ", ring)).append('\n');
        }
        System.out.print(text);
        System.out.flush();
    }
}
