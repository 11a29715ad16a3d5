// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import java.util.List;

import org.tallypost.endpoint.Flow;

/**
 * The flow controls to compare in one run.
 */
public enum FlowSelection
{
    /** No flow control: mailboxes that hold everything. The reference. */
    NONE(Flow.NONE),
    /** Fixed quotas. */
    STATIC(Flow.STATIC),
    /** Quotas that follow activity. */
    DYNAMIC(Flow.DYNAMIC),
    /** All three, interleaved. */
    ALL(Flow.NONE, Flow.STATIC, Flow.DYNAMIC);

    private final List<Flow> flows;

    FlowSelection(final Flow... flows)
    {
        this.flows = List.of(flows);
    }

    /**
     * The flow controls in the order in which they take turns.
     *
     * @return one or three.
     */
    public List<Flow> flows()
    {
        return flows;
    }
}
