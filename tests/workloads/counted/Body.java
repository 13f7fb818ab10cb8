package counted;

/** A piece of a workload: the body of a thread, or a call. */
public interface Body {
    void run() throws Exception;
}
