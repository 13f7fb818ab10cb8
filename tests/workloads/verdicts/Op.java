package verdicts;

/** One step of a thread: what it does, on which object of that kind, and with which time limit. */
final class Op {
    enum Step {
        ENTER, EXIT, WAIT, NOTIFY, NOTIFY_ALL,
        LOCK, UNLOCK, AWAIT, SIGNAL, SIGNAL_ALL,
        READ, UNREAD, WRITE, UNWRITE,
        ACQUIRE, RELEASE, TAKE_CREDIT, GIVE_CREDIT,
        PUT, TAKE,
        RUN, RETURN, GET,
        COMPLETE, GET_VALUE,
        COUNT_DOWN, AWAIT_LATCH,
        MEET, JOIN,
        SUBMIT, GET_TASK, END_TASK,
        /** The last step of a thread: it may go on at any time, by itself or by what is outside. */
        SLEEP, TICK, POLL, WAIT_LOOP, PARK, SPIN, DELAY, ACCEPT, SELECT, PROCESS, WATCH, TIMER, SCHEDULED, LATE_VALUE,
        END
    }

    /** A limit of zero is none. */
    enum Limit { NONE, ZERO, HOUR }

    final Step step;
    final int on;
    final Limit limit;

    Op(Step step, int on, Limit limit) {
        this.step = step;
        this.on = on;
        this.limit = limit;
    }

    boolean isOutside() {
        return step.ordinal() >= Step.SLEEP.ordinal() && step != Step.END;
    }

    /** Whether the thread waits for what others do: to give up is no progress. */
    boolean waitsForResult() {
        switch (step) {
            case GET:
            case GET_VALUE:
            case GET_TASK:
            case AWAIT_LATCH:
            case JOIN:
                return true;
            default:
                return false;
        }
    }

    /** Whether there is a call of this step with a time limit. */
    static boolean canHaveLimit(Step step) {
        switch (step) {
            case WAIT:
            case LOCK:
            case AWAIT:
            case READ:
            case WRITE:
            case ACQUIRE:
            case TAKE_CREDIT:
            case PUT:
            case TAKE:
            case GET:
            case GET_VALUE:
            case GET_TASK:
            case AWAIT_LATCH:
            case MEET:
            case JOIN:
                return true;
            default:
                return false;
        }
    }

    @Override
    public String toString() {
        return step + "-" + on + (limit == Limit.NONE ? "" : "-" + limit);
    }
}
