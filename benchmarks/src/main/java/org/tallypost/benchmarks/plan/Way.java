// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import java.util.Locale;

import org.tallypost.endpoint.Flow;

/**
 * What takes turns with others of its kind in a run: a flow control, and a path of the messages under it.
 *
 * @param flow the flow control.
 * @param path of the messages.
 */
public record Way(Flow flow, MessagePath path)
{
    /**
     * A name of it that can be part of a file's.
     *
     * @return the flow control; and the path, if it is not that of most workloads.
     */
    public String label()
    {
        final String name = flow.name().toLowerCase(Locale.ROOT);
        return path == MessagePath.RUNS ? name : name + "-" + path.label();
    }

    /**
     * Says which it is.
     *
     * @return as "flow dynamic", or "flow dynamic, path regions".
     */
    public String text()
    {
        final String name = "flow " + flow.name().toLowerCase(Locale.ROOT);
        return path == MessagePath.RUNS ? name : name + ", path " + path.label();
    }
}
