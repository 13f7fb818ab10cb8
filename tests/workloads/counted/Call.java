package counted;

/** A call that Orca records, with the events that one of them makes: at its entry, at its exit. */
public enum Call {
    WAIT("ObjectWait", "ObjectWaited"),
    NOTIFY("ObjectNotify"),
    NOTIFY_ALL("ObjectNotifyAll"),
    START("ThreadStart"),
    JOIN("ThreadJoin", "ThreadJoined"),
    SLEEP("ThreadSleep", "ThreadSlept"),
    ACQUIRE("SemaphoreAcquire", "SemaphoreAcquired"),
    RELEASE("SemaphoreRelease"),
    CONTEND("MonitorContendedEnter", "MonitorContendedEntered"),
    BEGIN("ThreadStarted"),
    END("ThreadEnded");

    final String[] events;

    Call(String... events) {
        this.events = events;
    }
}
