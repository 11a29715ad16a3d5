// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.flight;

import jdk.jfr.FlightRecorder;

/**
 * What is rare, as events of the JDK's flight recorder: which ranks come and go, links, lanes, and senders that wait for long. As
 * long as no recording has begun in the process a call looks at one flag, and loads and allocates nothing. Any thread.
 */
public final class FlightEvents
{
    /** A runtime image may be without the recorder. */
    private static final boolean HAS_RECORDER = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightEvents()
    {
    }

    /** Whether a recording has begun in this process. */
    public static boolean isOn()
    {
        return HAS_RECORDER && FlightRecorder.isInitialized();
    }

    /** An endpoint sees another rank come, or has read all of one that is gone. */
    static void rank(final int endpoint, final int other, final int incarnation, final boolean isOpen)
    {
        if (isOn())
        {
            FlightTypes.rank(endpoint, other, incarnation, isOpen);
        }
    }

    /** A link to another node is up, or down. */
    public static void link(final int node, final boolean isUp, final String reason)
    {
        if (isOn())
        {
            FlightTypes.link(node, isUp, reason);
        }
    }

    /** An endpoint grants a lane to a sender, recalls it, or has it back. */
    public static void lane(final int endpoint, final int sender, final int lane, final String change)
    {
        if (isOn())
        {
            FlightTypes.lane(endpoint, sender, lane, change);
        }
    }

    /** A message of an endpoint went at last, to a rank of this node or to a rank of another node. */
    public static void stall(final int endpoint, final int receiver, final boolean isRemote, final long lengthNs)
    {
        if (isOn())
        {
            FlightTypes.stall(endpoint, receiver, isRemote, lengthNs);
        }
    }

    /** Credits that a sender has in hand are taken back, since another one steals its slots. */
    public static void revocation(final int endpoint, final int victim, final int credits)
    {
        if (isOn())
        {
            FlightTypes.revocation(endpoint, victim, credits);
        }
    }

    /** Credits have moved from the quotas of senders to those of others. */
    public static void steal(final int endpoint, final long credits)
    {
        if (isOn())
        {
            FlightTypes.steal(endpoint, credits);
        }
    }
}
