// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.tallypost.deck.DeckCounters.Counter;

/**
 * The names that this rank is the home of: where their mail boxes are, and which clones wait for them. The home of a name is the
 * same at all ranks, so that two boxes never get one name. The thread of the deck.
 */
final class Names
{
    /** Most clones that wait here; more are refused. */
    static final int MAX_WAITING = 4_096;

    /** Where a mail box is. */
    static final class Entry
    {
        final int rank;
        final int incarnation;
        final int box;
        final int limit;
        final int buffers;

        Entry(final int rank, final int incarnation, final int box, final int limit, final int buffers)
        {
            this.rank = rank;
            this.incarnation = incarnation;
            this.box = box;
            this.limit = limit;
            this.buffers = buffers;
        }
    }

    /** A clone that waits for its name. */
    private static final class Waiting
    {
        final String name;
        final int rank;
        final int request;

        Waiting(final String name, final int rank, final int request)
        {
            this.name = name;
            this.rank = rank;
            this.request = request;
        }
    }

    private final Deck deck;
    private final Controls controls;
    private final Map<String, Entry> entries = new HashMap<>();
    /** The name of each box that has one: no more than boxes, so that what a rank may have kept here is bounded. */
    private final Map<Long, String> names = new HashMap<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    Names(final Deck deck, final Controls controls)
    {
        this.deck = deck;
        this.controls = controls;
    }

    static boolean isName(final String name)
    {
        final int length = name == null ? 0 : name.getBytes(StandardCharsets.UTF_8).length;
        return length > 0 && length <= ControlDescriptor.MAX_NAME_LENGTH && name.indexOf('\ufffd') < 0;
    }

    /** Throws IllegalArgumentException if there can be no such name. */
    static void check(final String name)
    {
        if (!isName(name))
        {
            throw new IllegalArgumentException("no name of a mail box: found=" + name + ", expected=1 to " +
                ControlDescriptor.MAX_NAME_LENGTH + " bytes of UTF-8");
        }
    }

    /** The rank that keeps a name. */
    static int home(final String name, final int rankCount)
    {
        return Math.floorMod(name.hashCode() * 0x9E3779B9, rankCount);
    }

    /** Where the box of a name is. A process that has ended has none, also if its end was not told yet. */
    private Entry find(final String name)
    {
        final Entry entry = entries.get(name);
        if (entry != null && !deck.isThere(entry.rank, entry.incarnation))
        {
            remove(name, entry);
            return null;
        }
        return entry;
    }

    private static long box(final Entry entry)
    {
        return (long)entry.rank << Integer.SIZE | entry.box;
    }

    private void remove(final String name, final Entry entry)
    {
        entries.remove(name);
        names.remove(box(entry));
    }

    /** Whether a box has another name. */
    private boolean isNamedOtherwise(final Entry entry, final String name)
    {
        final String known = names.get(box(entry));
        return known != null && !known.equals(name) && find(known) != null;
    }

    void onCreate(final int source, final int request, final Entry entry, final String name)
    {
        if (isNamedOtherwise(entry, name))
        {
            deck.count(Counter.REFUSED);
            return;
        }
        final Entry other = find(name);
        if (other == null)
        {
            entries.put(name, entry);
            names.put(box(entry), name);
        }
        final boolean isFree = other == null || other.rank == source && other.box == entry.box;
        if (request != 0)
        {
            controls.send(source, ControlDescriptor.CREATED, request, 0, isFree ? 0 : other.rank + 1);
        }
        else if (!isFree)
        {
            deck.onError(new IllegalStateException("two ranks have a mail box '" + name + "': found=" + source + " and " +
                other.rank + "; clones find the latter"));
        }
        if (other == null)
        {
            answerWaiting(name, entry);
        }
    }

    private void answerWaiting(final String name, final Entry entry)
    {
        for (int i = waiting.size(); i > 0; i--)
        {
            final Waiting one = waiting.poll();
            if (one.name.equals(name))
            {
                controls.answer(one.rank, one.request, entry);
            }
            else
            {
                waiting.add(one);
            }
        }
    }

    void onClone(final int source, final int request, final String name)
    {
        final Entry entry = find(name);
        if (entry != null)
        {
            controls.answer(source, request, entry);
        }
        else if (waiting.size() < MAX_WAITING)
        {
            waiting.add(new Waiting(name, source, request));
        }
        else
        {
            deck.count(Counter.REFUSED);
            controls.send(source, ControlDescriptor.CLONED, request, 0, ControlDescriptor.BUSY);
        }
    }

    void onWithdraw(final int source, final int request)
    {
        waiting.removeIf((one) -> one.rank == source && one.request == request);
    }

    void onRemove(final int source, final int box, final String name)
    {
        final Entry entry = entries.get(name);
        if (entry != null && entry.rank == source && entry.box == box)
        {
            remove(name, entry);
        }
    }

    private boolean isOver(final Entry entry, final int rank, final int incarnation)
    {
        final boolean isOver = entry.rank == rank && entry.incarnation <= incarnation;
        if (isOver)
        {
            names.remove(box(entry));
        }
        return isOver;
    }

    /** The process of a rank has ended: its names are free, and it waits for none. */
    void onGone(final int rank, final int incarnation)
    {
        entries.values().removeIf((entry) -> isOver(entry, rank, incarnation));
        waiting.removeIf((one) -> one.rank == rank);
    }
}
