// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;

/** Where the ranks of a job run, and how they are started, ended and cleared away there. */
interface Ranks extends AutoCloseable
{
    /** The command line and the environment of one rank. Output and errors are pipes. */
    ProcessBuilder builder(int rank);

    /** Called once for each process that was started by {@link #builder}. */
    void started(Process process);

    /** How a message names a rank. */
    String name(int rank, Process process);

    /** The program's name, as the user gave it. */
    String program();

    /** Asks a process to end. */
    void askToEnd(Process process);

    /** Time that processes have to end after they were asked, before they are killed. */
    Duration grace();

    /** Processes on this host that a rank has started, also if its parent is gone. */
    Stream<ProcessHandle> started();

    /** Clears away what the job has made. All processes have ended. */
    @Override
    void close() throws IOException;
}
