// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

/**
 * The slow half of a store-then-look race with a fast half that has no fence: makes another thread of this JVM execute one.
 *
 * <pre>
 *   fast, each message:   busy := true;  (compiler barrier)   if (shut) ...;  work;  busy := false (release)
 *   slow, seldom:         shut := true;  ThreadFence.await(fast thread);      while (busy) wait
 * </pre>
 *
 * A JVM takes the stack trace of a running thread by bringing it to a safepoint or into a handshake: what the thread
 * stored before is visible to the asker then, and what it loads after sees what the asker had stored. Whichever side of
 * that point the thread's load of 'shut' lies on, either it sees the flag or the asker sees 'busy'. This is how biased
 * locks were revoked. The thread is held up for some microseconds.
 */
final class ThreadFence
{
    private ThreadFence()
    {
    }

    /**
     * Returns when a thread has been at a point in its program, some time since this was called, or is dead.
     *
     * @param thread other than the caller.
     * @return depth of its stack, of no interest.
     */
    static int await(final Thread thread)
    {
        return thread == Thread.currentThread() || !thread.isAlive() ? 0 : thread.getStackTrace().length;
    }
}
