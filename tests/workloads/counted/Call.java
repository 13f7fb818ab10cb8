package counted;

/**
 * The outcomes of the calls that Orca records, with their events at entry and at exit. FAILS: the
 * call timed out, was refused, or ended with an exception.
 */
public enum Call {
    WAIT("ObjectWait", "ObjectWaited"),
    NOTIFY("ObjectNotify"),
    NOTIFY_ALL("ObjectNotifyAll"),
    START("ThreadStart"),
    JOIN("ThreadJoin", "ThreadJoined"),
    SLEEP("ThreadSleep", "ThreadSlept"),
    ACQUIRE("SemaphoreAcquire", "SemaphoreAcquired"),
    TRY_ACQUIRE("SemaphoreTryAcquire", "SemaphoreTryAcquired"),
    TRY_ACQUIRE_FAILS("SemaphoreTryAcquire", "SemaphoreTryAcquireFailed"),
    RELEASE("SemaphoreRelease"),
    CONTEND("MonitorContendedEnter", "MonitorContendedEntered"),
    BEGIN("ThreadStarted"),
    END("ThreadEnded"),

    LOCK("LockAcquire", "LockAcquired"),
    LOCK_FAILS("LockAcquire", "LockAcquireFailed"),
    LOCK_TRY("LockTryAcquire", "LockTryAcquired"),
    LOCK_TRY_FAILS("LockTryAcquire", "LockTryAcquireFailed"),
    UNLOCK("LockRelease"),
    READ_LOCK("ReadLockAcquire", "ReadLockAcquired"),
    READ_LOCK_FAILS("ReadLockAcquire", "ReadLockAcquireFailed"),
    READ_TRY("ReadLockTryAcquire", "ReadLockTryAcquired"),
    READ_TRY_FAILS("ReadLockTryAcquire", "ReadLockTryAcquireFailed"),
    READ_UNLOCK("ReadLockRelease"),
    WRITE_LOCK("WriteLockAcquire", "WriteLockAcquired"),
    WRITE_LOCK_FAILS("WriteLockAcquire", "WriteLockAcquireFailed"),
    WRITE_TRY("WriteLockTryAcquire", "WriteLockTryAcquired"),
    WRITE_TRY_FAILS("WriteLockTryAcquire", "WriteLockTryAcquireFailed"),
    WRITE_UNLOCK("WriteLockRelease"),

    AWAIT("ConditionAwait", "ConditionAwaited"),
    AWAIT_FAILS("ConditionAwait", "ConditionAwaitFailed"),
    SIGNAL("ConditionSignal"),
    SIGNAL_ALL("ConditionSignalAll"),

    PARK("ThreadPark", "ThreadParked"),
    UNPARK("ThreadUnpark"),
    PINNED("ThreadPinned"),

    LATCH_AWAIT("LatchAwait", "LatchAwaited"),
    LATCH_AWAIT_FAILS("LatchAwait", "LatchAwaitFailed"),
    COUNT_DOWN("LatchCountDown"),

    BARRIER_AWAIT("BarrierAwait", "BarrierAwaited"),
    BARRIER_AWAIT_FAILS("BarrierAwait", "BarrierAwaitFailed"),
    PHASER_AWAIT("PhaserAwait", "PhaserAwaited"),
    PHASER_AWAIT_FAILS("PhaserAwait", "PhaserAwaitFailed"),
    ARRIVE("PhaserArrive"),
    EXCHANGE("Exchange", "Exchanged"),
    EXCHANGE_FAILS("Exchange", "ExchangeFailed"),

    FUTURE_AWAIT("FutureAwait", "FutureAwaited"),
    FUTURE_AWAIT_FAILS("FutureAwait", "FutureAwaitFailed"),
    TASK_JOIN("TaskJoin", "TaskJoined"),
    TASK_JOIN_FAILS("TaskJoin", "TaskJoinFailed"),

    INSERT("QueueInsert", "QueueInserted"),
    INSERT_FAILS("QueueInsert", "QueueInsertFailed"),
    REMOVE("QueueRemove", "QueueRemoved"),
    REMOVE_FAILS("QueueRemove", "QueueRemoveFailed"),

    SUBMIT("ExecutorSubmit"),
    EXECUTOR_AWAIT("ExecutorAwait", "ExecutorAwaited"),
    EXECUTOR_AWAIT_FAILS("ExecutorAwait", "ExecutorAwaitFailed"),

    MONITOR_ENTER("MonitorEnter"),
    MONITOR_ENTERED("MonitorEntered"),
    MONITOR_EXIT("MonitorExit"),
    METHOD("MethodEntry", "MethodExit");

    final String[] events;

    Call(String... events) {
        this.events = events;
    }
}
