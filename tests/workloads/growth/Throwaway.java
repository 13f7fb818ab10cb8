package growth;

/** A class that Churn defines again and again. Its method notifies, on a stack of two of its own. */
public final class Throwaway implements Runnable {
    @Override
    public void run() {
        touch();
    }

    private void touch() {
        synchronized (this) {
            notifyAll();
        }
    }
}
