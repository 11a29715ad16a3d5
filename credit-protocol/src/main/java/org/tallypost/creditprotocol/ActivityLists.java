// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * The four lists in which a receiver keeps its senders by activity (thesis, section 6.2), doubly linked over arrays of
 * ints. Every operation is O(1): the lists shift by turning three heads round.
 *
 * <pre>
 *   LOW -> s, ..., v      the front is the most recent; the last of LOW is the next victim
 *   MEDIUM -> ...
 *   HIGH -> ...
 *   NULL -> ...           senders with a quota that has come down to their static slots
 * </pre>
 */
final class ActivityLists
{
    static final int LOW = 0;
    static final int MEDIUM = 1;
    static final int HIGH = 2;
    static final int NULL = 3;

    private static final int LISTS = 4;
    private static final int NONE = -1;

    private final int[] next;
    private final int[] previous;
    /** The ring in which a sender is; rings are what the lists' names turn round over. */
    private final byte[] ringOf;
    private final int[] front = {NONE, NONE, NONE, NONE};
    private final int[] back = {NONE, NONE, NONE, NONE};
    private final int[] ringOfList = {0, 1, 2, 3};
    private final int[] listOfRing = {0, 1, 2, 3};

    /** All senders in LOW, in the order of their numbers. */
    ActivityLists(final int senders)
    {
        next = new int[senders];
        previous = new int[senders];
        ringOf = new byte[senders];
        for (int sender = 0; sender < senders; sender++)
        {
            previous[sender] = sender - 1;
            next[sender] = sender + 1 < senders ? sender + 1 : NONE;
        }
        front[LOW] = 0;
        back[LOW] = senders - 1;
    }

    int list(final int sender)
    {
        return listOfRing[ringOf[sender]];
    }

    boolean isEmpty(final int list)
    {
        return front[ringOfList[list]] == NONE;
    }

    int last(final int list)
    {
        return back[ringOfList[list]];
    }

    void remove(final int sender)
    {
        final int ring = ringOf[sender];
        final int before = previous[sender];
        final int after = next[sender];
        if (before == NONE)
        {
            front[ring] = after;
        }
        else
        {
            next[before] = after;
        }
        if (after == NONE)
        {
            back[ring] = before;
        }
        else
        {
            previous[after] = before;
        }
    }

    void addFirst(final int list, final int sender)
    {
        final int ring = ringOfList[list];
        final int first = front[ring];
        ringOf[sender] = (byte)ring;
        previous[sender] = NONE;
        next[sender] = first;
        front[ring] = sender;
        if (first == NONE)
        {
            back[ring] = sender;
        }
        else
        {
            previous[first] = sender;
        }
    }

    void addLast(final int list, final int sender)
    {
        final int ring = ringOfList[list];
        final int last = back[ring];
        ringOf[sender] = (byte)ring;
        next[sender] = NONE;
        previous[sender] = last;
        back[ring] = sender;
        if (last == NONE)
        {
            front[ring] = sender;
        }
        else
        {
            next[last] = sender;
        }
    }

    /** HIGH becomes MEDIUM, MEDIUM becomes LOW, and LOW, which is empty, becomes HIGH. */
    void shift()
    {
        final int empty = ringOfList[LOW];
        ringOfList[LOW] = ringOfList[MEDIUM];
        ringOfList[MEDIUM] = ringOfList[HIGH];
        ringOfList[HIGH] = empty;
        for (int list = 0; list < LISTS; list++)
        {
            listOfRing[ringOfList[list]] = list;
        }
    }

    /** Copies a list from front to back; O(n). Returns its length. */
    int copy(final int list, final int[] to)
    {
        int count = 0;
        for (int sender = front[ringOfList[list]]; sender != NONE; sender = next[sender])
        {
            to[count++] = sender;
        }
        return count;
    }

    /** That every sender is in one list, and both directions agree. O(n), and never goes round for ever. */
    void check()
    {
        int count = 0;
        for (int ring = 0; ring < LISTS; ring++)
        {
            int before = NONE;
            for (int sender = front[ring]; sender != NONE; sender = next[sender])
            {
                if (ringOf[sender] != ring || previous[sender] != before || ++count > next.length)
                {
                    Ledger.violated("previous in activity list " + listOfRing[ring], sender, previous[sender], before);
                }
                before = sender;
            }
            if (back[ring] != before)
            {
                Ledger.violated("last of activity list " + listOfRing[ring], -1, back[ring], before);
            }
        }
        if (count != next.length)
        {
            Ledger.violated("senders in activity lists", -1, count, next.length);
        }
    }

    long stateBytes()
    {
        return (2L * Integer.BYTES + 1) * next.length;
    }
}
