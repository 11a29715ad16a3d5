// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

/**
 * How somebody passes the time that waits in a loop.
 */
public interface Waiting
{
    /**
     * Once more nothing happened.
     *
     * @param awaited what has to happen, for the message.
     */
    void idle(String awaited);
}
