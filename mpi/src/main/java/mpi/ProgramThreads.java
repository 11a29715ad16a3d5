// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.HashSet;
import java.util.Set;

/**
 * The threads for which a process stays, but those that the library has started: the program has ended when they have. Threads
 * that the program starts while the library is launched are taken for the library's.
 */
final class ProgramThreads
{
    /** The thread by which the machine waits for the others, once the main method has returned. */
    private static final String WAITING = "DestroyJavaVM";
    private static final long JOIN_MS = 1_000;

    private final Set<Thread> library = new HashSet<>();
    private final Set<Thread> before = all();

    /** To be called when the library's threads are there; this was made before. */
    void launched()
    {
        library.addAll(all());
        library.removeAll(before);
        before.clear();
    }

    /** Waits, however long the program runs. */
    void awaitEnd() throws InterruptedException
    {
        Thread running = any();
        while (running != null)
        {
            // others may be started, and end
            running.join(JOIN_MS);
            running = any();
        }
    }

    private Thread any()
    {
        final Set<Thread> program = all();
        program.removeAll(library);
        return program.stream().findAny().orElse(null);
    }

    private static Set<Thread> all()
    {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null)
        {
            root = root.getParent();
        }
        Thread[] found = new Thread[Math.max(8, 2 * root.activeCount())];
        int count = root.enumerate(found);
        while (count == found.length)
        {
            found = new Thread[2 * found.length];
            count = root.enumerate(found);
        }
        final Set<Thread> all = new HashSet<>();
        for (int i = 0; i < count; i++)
        {
            if (!found[i].isDaemon() && !found[i].getName().equals(WAITING))
            {
                all.add(found[i]);
            }
        }
        return all;
    }
}
