package usecases;

import counted.Spelling;
import counted.Tally;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/**
 * Two threads move money between the same two accounts in opposite directions. Each locks the
 * accounts in the order of its move. args[0] selects what happens:
 *
 * <pre>
 * luck      the threads run one after the other, so there is no deadlock
 * deadlock  a deadlock; then the program ends the JVM
 * hang      a deadlock; the program never ends
 * handed    a deadlock; one of the threads started to wait for its second account while a third
 *           thread owned that account; the program never ends
 * </pre>
 *
 * Two other threads lock two drawers in both orders, which is safe, because they lock a key first. A
 * further thread does so with a drawer that no other thread uses.
 */
final class LockOrder {
    private static final class Account {
        private int money = 100;
    }

    private static final class Drawer {
    }

    private static final class Key {
    }

    private static final Account first = new Account();
    private static final Account second = new Account();

    private static void move(Account from, Account to, Runnable between) {
        synchronized (from) {
            between.run();
            synchronized (to) {
                from.money--;
                to.money++;
            }
        }
    }

    private static void lockBoth(Drawer upper, Drawer lower) {
        synchronized (upper) {
            synchronized (lower) {
                Facts.sleep(1);
            }
        }
    }

    private static void withKey(Key key, Drawer upper, Drawer lower) {
        synchronized (key) {
            lockBoth(upper, lower);
        }
    }

    private static void lockDrawers() throws InterruptedException {
        Key key = new Key();
        Drawer upper = new Drawer();
        Drawer lower = new Drawer();
        Facts.join(Facts.start("down", () -> withKey(key, upper, lower)),
                Facts.start("up", () -> withKey(key, lower, upper)));
        Drawer own = new Drawer();
        Facts.join(Facts.start("alone", () -> {
            lockBoth(own, upper);
            lockBoth(upper, own);
        }));
    }

    private static void luck() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        Facts.join(Facts.start("there", () -> {
            move(first, second, () -> { });
            done.countDown();
        }), Facts.start("back", () -> {
            try {
                done.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            move(second, first, () -> { });
        }));
    }

    private static void meet(CyclicBarrier both) {
        try {
            both.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void deadlock() throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);
        Thread there = Facts.start("there", () -> move(first, second, () -> meet(both)));
        Thread back = Facts.start("back", () -> move(second, first, () -> meet(both)));
        Tally.awaitState(there, Thread.State.BLOCKED);
        Tally.awaitState(back, Thread.State.BLOCKED);
        Facts.sleep(2000); // until the agent has found the owners
    }

    private static boolean isBlocked(Thread thread) {
        return thread.getState() == Thread.State.BLOCKED;
    }

    private static Thread startBlocked(String name, Account from, Account to) {
        Thread thread = Facts.start(name, () -> move(from, to, () -> { }));
        Tally.awaitState(thread, Thread.State.BLOCKED);
        return thread;
    }

    /**
     * Returns whether a deadlock was made: the thread "there", which owns no account yet, has to acquire
     * the first account before "back" does. Some JVMs hand a monitor to the thread that waited longest,
     * others to the one that came last. `isFair` selects the order for the former.
     */
    private static boolean tryHanded(boolean isFair) throws InterruptedException {
        Thread back = null;
        Thread there;
        synchronized (first) {
            if (!isFair) {
                back = startBlocked("back", second, first);
            }
            there = startBlocked("there", first, second);
            if (isFair) {
                back = startBlocked("back", second, first);
            }
            Facts.sleep(100); // until both threads block in the JVM and no longer spin
        }
        Facts.sleep(100);
        while (there.isAlive() && !(isBlocked(there) && isBlocked(back))) {
            Facts.sleep(1);
        }
        return isBlocked(there) && isBlocked(back);
    }

    public static void main(String[] args) throws Exception {
        Facts.say("first", Spelling.hash(first));
        Facts.say("second", Spelling.hash(second));
        lockDrawers();
        if (args[0].equals("luck")) {
            luck();
            return;
        }
        if (args[0].equals("handed")) {
            for (boolean isFair = true; !tryHanded(isFair); isFair = !isFair) {
                Facts.sleep(1);
            }
        } else {
            deadlock();
        }
        Facts.say("stuck", 2);
        if (args[0].equals("deadlock")) {
            System.exit(0);
        }
    }
}
