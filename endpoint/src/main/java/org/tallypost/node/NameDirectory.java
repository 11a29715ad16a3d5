// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import java.util.function.BooleanSupplier;
import org.tallypost.endpoint.internal.layout.NameTableDescriptor;
import org.tallypost.endpoint.internal.node.NameTable;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Which rank has which name: {@link Node#names()}. A rank enters a name with a number of its own choosing, such as that of a
 * channel; others find rank and number by the name. A name goes with the incarnation of its rank: when the rank closes or its
 * process is found to be gone, it is free.
 *
 * <p>There are {@link #MAX_NAMES} names at a time. They are of one node: ranks of other nodes neither enter names here nor find
 * them. What was found comes from shared memory: the rank is one of the group, the number is what somebody has written.
 *
 * <p>{@link #find} takes the node's lock only where another thread has stopped while it wrote a name, the others take it always.
 * Any thread.
 */
public final class NameDirectory
{
    /** Most names of a node. */
    public static final int MAX_NAMES = NameTableDescriptor.ENTRIES;
    /** Longest name, in bytes of UTF-8. */
    public static final int MAX_NAME_LENGTH = NameTableDescriptor.MAX_NAME_LENGTH;

    private final NameTable table;

    NameDirectory(final NameTable table)
    {
        this.table = table;
    }

    /**
     * What a name stands for.
     *
     * @param rank        that has it.
     * @param incarnation of the rank.
     * @param number      that the rank has entered with it.
     */
    public record NamedRank(int rank, int incarnation, long number)
    {
    }

    /**
     * Gives a rank of this process a name. If the rank has it already, the number changes.
     *
     * @param name   1 to {@link #MAX_NAME_LENGTH} bytes of UTF-8, without half a pair of surrogates.
     * @param rank   open in this process.
     * @param number that goes with the name.
     * @throws IllegalArgumentException if name or rank is out of range.
     * @throws IllegalStateException if the rank is not open in this process, or the node is closed.
     * @throws MailboxException if another open rank has the name, which the message says, or there are too many names.
     */
    public void enter(final String name, final int rank, final long number)
    {
        table.enter(name, rank, number);
    }

    /**
     * The same, if no other open rank has the name.
     *
     * @param name   as above.
     * @param rank   open in this process.
     * @param number that goes with the name.
     * @return false if another rank has it.
     * @throws IllegalArgumentException if name or rank is out of range.
     * @throws IllegalStateException if the rank is not open in this process, or the node is closed.
     * @throws MailboxException if there are too many names.
     */
    public boolean tryEnter(final String name, final int rank, final long number)
    {
        return table.tryEnter(name, rank, number);
    }

    /**
     * The same, if a condition holds. No name changes between the look at the condition and the entry.
     *
     * @param name      as above.
     * @param rank      open in this process.
     * @param number    that goes with the name.
     * @param condition looked at while this thread holds the node's lock. It may call {@link #find}, and waits for nothing.
     * @return false if another rank has the name, or the condition does not hold.
     * @throws IllegalArgumentException if name or rank is out of range.
     * @throws IllegalStateException if the rank is not open in this process, or the node is closed.
     * @throws MailboxException if there are too many names.
     */
    public boolean tryEnter(final String name, final int rank, final long number, final BooleanSupplier condition)
    {
        return table.tryEnter(name, rank, number, condition);
    }

    /**
     * Takes a name from a rank of this process.
     *
     * @param name of the rank.
     * @param rank open in this process.
     * @return false if the rank has no such name.
     * @throws IllegalArgumentException if the name is out of range.
     */
    public boolean remove(final String name, final int rank)
    {
        return table.remove(name, rank);
    }

    /**
     * What a name stands for now.
     *
     * @param name to look for.
     * @return rank, incarnation and number; null if no open rank has the name.
     * @throws IllegalArgumentException if the name is out of range.
     */
    public NamedRank find(final String name)
    {
        final NameTable.Named found = table.find(name);
        return found == null ? null : new NamedRank(found.rank(), found.epoch(), found.number());
    }
}
