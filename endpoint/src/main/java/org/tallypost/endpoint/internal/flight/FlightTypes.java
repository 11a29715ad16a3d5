// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The types of {@link FlightEvents}, registered when the first event comes after the flight recorder has begun. Any thread. */
final class FlightTypes
{
    private static final String NAME = "org.tallypost.";
    private static final String CATEGORY = "Tallypost";

    private static final EventType RANK = EventType.getEventType(RankChange.class);
    private static final EventType LINK = EventType.getEventType(LinkChange.class);
    private static final EventType LANE = EventType.getEventType(LaneChange.class);
    private static final EventType STALL = EventType.getEventType(Stall.class);
    private static final EventType REVOCATION = EventType.getEventType(Revocation.class);
    private static final EventType STEAL = EventType.getEventType(Steal.class);

    private FlightTypes()
    {
    }

    /** An endpoint sees another rank come, or has read all of one that is gone. */
    static void rank(final int endpoint, final int other, final int incarnation, final boolean isOpen)
    {
        if (RANK.isEnabled())
        {
            final RankChange event = new RankChange();
            event.endpoint = endpoint;
            event.other = other;
            event.incarnation = incarnation;
            event.open = isOpen;
            event.commit();
        }
    }

    /** A link to another node is up, or down. */
    static void link(final int node, final boolean isUp, final String reason)
    {
        if (LINK.isEnabled())
        {
            final LinkChange event = new LinkChange();
            event.node = node;
            event.up = isUp;
            event.reason = reason;
            event.commit();
        }
    }

    /** An endpoint grants a lane to a sender, recalls it, or has it back. */
    static void lane(final int endpoint, final int sender, final int lane, final String change)
    {
        if (LANE.isEnabled())
        {
            final LaneChange event = new LaneChange();
            event.endpoint = endpoint;
            event.sender = sender;
            event.lane = lane;
            event.change = change;
            event.commit();
        }
    }

    /** A message of an endpoint went at last. Shorter stalls are counted alone. */
    static void stall(final int endpoint, final int receiver, final boolean isRemote, final long lengthNs)
    {
        if (STALL.isEnabled() && lengthNs >= Stall.LEAST_NS)
        {
            final Stall event = new Stall();
            event.endpoint = endpoint;
            event.receiver = isRemote ? -1 : receiver;
            event.node = isRemote ? receiver : -1;
            event.length = lengthNs;
            event.commit();
        }
    }

    /** Credits that a sender has in hand are taken back, since another one steals its slots. */
    static void revocation(final int endpoint, final int victim, final int credits)
    {
        if (REVOCATION.isEnabled())
        {
            final Revocation event = new Revocation();
            event.endpoint = endpoint;
            event.victim = victim;
            event.credits = credits;
            event.commit();
        }
    }

    /** Credits have moved from the quotas of senders to those of others. */
    static void steal(final int endpoint, final long credits)
    {
        if (STEAL.isEnabled())
        {
            final Steal event = new Steal();
            event.endpoint = endpoint;
            event.credits = credits;
            event.commit();
        }
    }

    /** Membership as an endpoint sees it. */
    @Name(NAME + "Rank")
    @Label("Rank")
    @Description("Another rank was let in, or is gone and all that it has sent was read")
    @Category(CATEGORY)
    @StackTrace(false)
    static final class RankChange extends Event
    {
        @Label("Endpoint")
        int endpoint;
        @Label("Other Rank")
        int other;
        @Label("Incarnation")
        int incarnation;
        @Label("Open")
        boolean open;
    }

    /** A link between nodes. */
    @Name(NAME + "Link")
    @Label("Link")
    @Description("The link to another node is up or down")
    @Category(CATEGORY)
    @StackTrace(false)
    static final class LinkChange extends Event
    {
        @Label("Other Node")
        int node;
        @Label("Up")
        boolean up;
        @Label("Reason")
        String reason;
    }

    /** A lane of a mailbox. */
    @Name(NAME + "Lane")
    @Label("Lane")
    @Description("An express lane was granted, recalled or returned")
    @Category(CATEGORY)
    @StackTrace(false)
    static final class LaneChange extends Event
    {
        @Label("Endpoint")
        int endpoint;
        @Label("Sender")
        int sender;
        @Label("Lane")
        int lane;
        @Label("Change")
        String change;
    }

    /** A sender that waited. */
    @Name(NAME + "Stall")
    @Label("Stall")
    @Description("A message waited for credits for 1 ms or longer; its time begins with the eighth attempt")
    @Category(CATEGORY)
    @StackTrace(false)
    static final class Stall extends Event
    {
        /** Shorter ones are not rare. */
        static final long LEAST_NS = 1_000_000;

        @Label("Endpoint")
        int endpoint;
        @Label("Receiver")
        @Description("Rank of the receiver, -1 if it is of another node")
        int receiver;
        @Label("Node")
        @Description("Node of the receiver, -1 if it is the own one")
        int node;
        @Label("Length")
        @Timespan(Timespan.NANOSECONDS)
        long length;
    }

    /** Slots that move to another sender. */
    @Name(NAME + "Revocation")
    @Label("Revocation")
    @Description("Credits of a sender were taken back, since another one steals its slots; off unless a recording asks for it")
    @Category(CATEGORY)
    @StackTrace(false)
    @Enabled(false)
    static final class Revocation extends Event
    {
        @Label("Endpoint")
        int endpoint;
        @Label("Victim")
        int victim;
        @Label("Credits")
        int credits;
    }

    /** Quotas that change. */
    @Name(NAME + "Steal")
    @Label("Steal")
    @Description("Credits moved from the quotas of senders to those of busier ones; off unless a recording asks for it")
    @Category(CATEGORY)
    @StackTrace(false)
    @Enabled(false)
    static final class Steal extends Event
    {
        @Label("Endpoint")
        int endpoint;
        @Label("Credits")
        @Description("Since the last event of this endpoint")
        long credits;
    }
}
