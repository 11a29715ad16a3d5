// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;
import org.tallypost.services.ServicesCounters.Counter;

/**
 * Which rank serves which name, as the ranks have announced it. A rank has at most 64 services. If two ranks serve a name, the
 * lower one has it at all ranks. One thread.
 */
final class Directory
{
    private static final Pattern NAME = Pattern.compile("[!-~]{1," + MessageDescriptor.MAX_NAME_LENGTH + "}");

    /** A name that a rank serves. */
    static final class Entry
    {
        final String name;
        final int rank;
        final int number;

        Entry(final String name, final int rank, final int number)
        {
            this.name = name;
            this.rank = rank;
            this.number = number;
        }
    }

    /** For each rank its services by their numbers. Null for ranks that have none. */
    private final Entry[][] entries;
    private final Map<String, Entry> byName = new HashMap<>();
    private final ServicesCounters counters;

    Directory(final int ranks, final ServicesCounters counters)
    {
        entries = new Entry[ranks][];
        this.counters = counters;
    }

    static String check(final String name)
    {
        if (name == null || !NAME.matcher(name).matches())
        {
            throw new IllegalArgumentException("no name of a service: found=" + name + ", expected 1 to " +
                MessageDescriptor.MAX_NAME_LENGTH + " characters of ASCII without blanks");
        }
        return name;
    }

    /** A name as it came; null if it cannot be. */
    static String read(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > MessageDescriptor.MAX_NAME_LENGTH)
        {
            return null;
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        final String name = new String(bytes, StandardCharsets.US_ASCII);
        return NAME.matcher(name).matches() ? name : null;
    }

    /** Enters a service of a rank. The other one that has the name, if there is one. */
    Entry enter(final String name, final int rank, final int number)
    {
        withdraw(rank, number);
        entries[rank] = entries[rank] == null ? new Entry[MessageDescriptor.MAX_SERVICES] : entries[rank];
        final Entry entry = new Entry(name, rank, number);
        entries[rank][number] = entry;
        final Entry other = byName.get(name);
        if (other == null || other.rank == rank)
        {
            byName.put(name, entry);
            return null;
        }
        counters.add(Counter.DUPLICATES);
        if (rank < other.rank)
        {
            byName.put(name, entry);
        }
        return other;
    }

    void withdraw(final int rank, final int number)
    {
        final Entry entry = entries[rank] == null ? null : entries[rank][number];
        if (entry == null)
        {
            return;
        }
        entries[rank][number] = null;
        if (byName.remove(entry.name, entry))
        {
            for (final Entry[] services : entries)
            {
                takeOver(entry.name, services);
            }
        }
    }

    /** Another rank may serve the name too: the lowest one has it then. */
    private void takeOver(final String name, final Entry... services)
    {
        for (int i = 0; services != null && i < services.length; i++)
        {
            if (services[i] != null && services[i].name.equals(name))
            {
                byName.putIfAbsent(name, services[i]);
            }
        }
    }

    /** A rank is gone with all its services. */
    void forget(final int rank)
    {
        for (int number = 0; entries[rank] != null && number < MessageDescriptor.MAX_SERVICES; number++)
        {
            withdraw(rank, number);
        }
        entries[rank] = null;
    }

    Entry find(final String name)
    {
        return byName.get(name);
    }

    /** The service of a rank with a number; null if there is none. */
    Entry find(final int rank, final int number)
    {
        return number < 0 || number >= MessageDescriptor.MAX_SERVICES || entries[rank] == null ? null : entries[rank][number];
    }
}
