package counted;

/** What a thread of a workload does. */
public interface Body {
    void run() throws Exception;
}
