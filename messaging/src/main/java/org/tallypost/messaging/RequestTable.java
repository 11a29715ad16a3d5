// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.Arrays;

/**
 * Active requests of one kind by number. A peer names a request by its id: the number and a generation that changes with each
 * use, so that an id that is old or invented finds nothing. Doubles up to its limit. One thread.
 */
final class RequestTable<T extends Request>
{
    private static final int FIRST_CAPACITY = 64;
    private static final int NONE = -1;

    private final String name;
    private final int limit;
    private T[] all;
    private int[] generations;
    /** Of a number that is free: the next free one. */
    private int[] nexts;
    private final int firstGeneration;
    private int free = NONE;
    private int fresh;
    private int size;

    RequestTable(final String name, final int limit, final int firstGeneration, final T[] none)
    {
        this.name = name;
        this.limit = limit;
        this.firstGeneration = firstGeneration;
        final int capacity = Math.min(limit, FIRST_CAPACITY);
        all = Arrays.copyOf(none, capacity);
        generations = new int[capacity];
        nexts = new int[capacity];
        Arrays.fill(generations, firstGeneration);
    }

    static int number(final long id)
    {
        return (int)id;
    }

    int capacity()
    {
        return all.length;
    }

    int size()
    {
        return size;
    }

    boolean isFull()
    {
        return size == limit;
    }

    void checkRoom()
    {
        if (isFull())
        {
            throw new IllegalStateException("too many active " + name + ": found=" + size + ", expected less than maxRequests=" +
                limit + "; wait for some, or raise it");
        }
    }

    /** Gives a request its id; the caller knows that there is room. */
    void add(final T request)
    {
        int number = free;
        if (number != NONE)
        {
            free = nexts[number];
        }
        else
        {
            if (fresh == all.length)
            {
                grow();
            }
            number = fresh++;
        }
        all[number] = request;
        request.id = (long)generations[number] << Integer.SIZE | number;
        size++;
    }

    private void grow()
    {
        final int before = all.length;
        final int capacity = (int)Math.min(limit, 2L * before);
        all = Arrays.copyOf(all, capacity);
        generations = Arrays.copyOf(generations, capacity);
        Arrays.fill(generations, before, capacity, firstGeneration);
        nexts = Arrays.copyOf(nexts, capacity);
    }

    /** The request with an id; null if there is none. */
    T find(final long id)
    {
        final int number = number(id);
        if (number < 0 || number >= fresh)
        {
            return null;
        }
        final T request = all[number];
        return request != null && request.id == id ? request : null;
    }

    /** The request with a number, null if it is free. */
    T at(final int number)
    {
        return all[number];
    }

    /** Numbers in use are below this. */
    int end()
    {
        return fresh;
    }

    void remove(final T request)
    {
        final int number = number(request.id);
        all[number] = null;
        // never 0, so that no id is
        generations[number] = generations[number] == Integer.MAX_VALUE ? 1 : generations[number] + 1;
        nexts[number] = free;
        free = number;
        request.id = 0;
        size--;
    }
}
