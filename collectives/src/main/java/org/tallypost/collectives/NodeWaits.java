// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** In which operation another node has said that it waits for this one, and in which this one has told it the same. */
final class NodeWaits
{
    private long operation = -1;
    private long operations;
    private int votes;
    private long told = -1;
    private long untold = -1;

    /** The other node waits for this one in an operation. */
    void heard(final long number, final long all, final int votedIn)
    {
        operation = number;
        operations = all;
        votes = votedIn;
    }

    /** The other node begins anew. */
    void forget()
    {
        operation = -1;
    }

    /** The last operation in which it has said that it waits; -1 for none. */
    long operation()
    {
        return operation;
    }

    /** All operations up to that one, as it has them. */
    long operations()
    {
        return operations;
    }

    /** How many agreements it had voted in before it came to that one. */
    int votes()
    {
        return votes;
    }

    /** Whether it was told that this node waits for it in an operation. */
    boolean isTold(final long number)
    {
        return told == number;
    }

    void told(final long number)
    {
        told = number;
    }

    /** That this node waits for it in an operation could not be sent. */
    void untold(final long number)
    {
        untold = number;
    }

    /** Whether it should have been told that this node waits for it in an operation, and could not be. */
    boolean isUntold(final long number)
    {
        return untold == number && told != number;
    }
}
