// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;

/**
 * Runs a fork.
 */
public interface ForkRunner
{
    /**
     * Runs a fork to its end. What goes wrong in it is part of the result.
     *
     * @param spec of the fork.
     * @return what it found.
     * @throws IOException          if it could not be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    ForkResult run(ForkSpec spec) throws IOException, InterruptedException;
}
