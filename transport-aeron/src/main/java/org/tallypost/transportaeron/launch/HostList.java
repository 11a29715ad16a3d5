// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.launch;

import java.util.ArrayList;
import java.util.List;
import org.tallypost.transportaeron.internal.Texts;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;

/**
 * Reads the short forms in which Slurm writes lists: "node[01-03,7],login" for hosts, "2(x3),1" for tasks of each node.
 */
final class HostList
{
    private static final int MAX_ENTRIES = BatchDescriptor.MAX_NODES;

    private HostList()
    {
    }

    /**
     * Hosts in their order; several brackets in a name multiply.
     *
     * @throws IllegalArgumentException if the list is malformed, empty, or too long.
     */
    static List<String> expand(final String list)
    {
        final List<String> hosts = new ArrayList<>();
        for (final String part : split(list))
        {
            expandOne(part, "", list, hosts);
        }
        return hosts;
    }

    /** Splits at commas outside of brackets. */
    private static List<String> split(final String list)
    {
        final List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i <= list.length(); i++)
        {
            final char c = i < list.length() ? list.charAt(i) : ',';
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (depth < 0 || depth > 1 || i == list.length() && depth > 0)
            {
                throw malformed(list);
            }
            if (c == ',' && depth == 0)
            {
                parts.add(list.substring(start, i).strip());
                start = i + 1;
            }
        }
        return parts;
    }

    private static void expandOne(final String part, final String prefix, final String list, final List<String> hosts)
    {
        final int open = part.indexOf('[');
        if (open < 0)
        {
            final String host = prefix + part;
            if (host.isEmpty() || hosts.size() == MAX_ENTRIES)
            {
                throw malformed(list);
            }
            hosts.add(host);
            return;
        }
        final int close = part.indexOf(']');
        for (final String range : part.substring(open + 1, close).split(",", -1))
        {
            final int dash = range.indexOf('-');
            final String first = dash < 0 ? range : range.substring(0, dash);
            final int from = Texts.number("number of a host", first);
            final int to = dash < 0 ? from : Texts.number("number of a host", range.substring(dash + 1));
            if (to < from || to - from >= MAX_ENTRIES)
            {
                throw malformed(list);
            }
            for (int i = from; i <= to; i++)
            {
                final String digits = Integer.toString(i);
                final String zeros = "0".repeat(Math.max(0, first.length() - digits.length()));
                expandOne(part.substring(close + 1), prefix + part.substring(0, open) + zeros + digits, list, hosts);
            }
        }
    }

    /** Tasks of each node: "2(x3),1" is 2, 2, 2, 1. */
    static int[] tasks(final String list)
    {
        final List<Integer> tasks = new ArrayList<>();
        for (final String part : list.split(",", -1))
        {
            final int open = part.indexOf("(x");
            if (open >= 0 && !part.endsWith(")"))
            {
                throw malformed(list);
            }
            final int count = Texts.number("tasks of a node", open < 0 ? part : part.substring(0, open));
            final int times = open < 0 ? 1 : Texts.number("repetition", part.substring(open + 2, part.length() - 1));
            if (times < 1 || times > MAX_ENTRIES - tasks.size())
            {
                throw malformed(list);
            }
            for (int i = 0; i < times; i++)
            {
                tasks.add(count);
            }
        }
        return tasks.stream().mapToInt(Integer::intValue).toArray();
    }

    private static IllegalArgumentException malformed(final String list)
    {
        return new IllegalArgumentException("malformed list: found=\"" + list + "\", expected such as \"node[01-03,7],login\" " +
            "or \"2(x3),1\", with 1 to " + MAX_ENTRIES + " entries");
    }
}
