// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** The settings of a context in one line, for logs and reports of faults. */
final class SettingsText
{
    private SettingsText()
    {
    }

    /** Under the names of the options; what the launch computes has its value once it is done, and a mailbox its length. */
    static String of(final NodeContext context, final boolean isInUse)
    {
        final StringBuilder text = new StringBuilder(512).append("NodeContext{directory=").append(context.directory());
        add(text, "groupName", context.groupName());
        add(text, "rankCount", context.rankCount());
        add(text, "slotsPerSender", context.slotsPerSender());
        add(text, "creditSlots", context.creditSlots());
        add(text, "flow", context.flow());
        add(text, "stealPolicy", context.stealPolicy());
        add(text, "creditReturn", context.creditReturn());
        add(text, "piggyback", context.piggyback());
        add(text, "ringSlots", computed(context.ringSlots(), isInUse));
        add(text, "highSlots", context.highSlots());
        add(text, "expressLanes", context.expressLanes());
        add(text, "laneSlots", computed(context.laneSlots(), isInUse));
        add(text, "idle", context.idle());
        add(text, "livenessIntervalNs", context.livenessIntervalNs());
        add(text, "livenessThread", context.livenessThread());
        add(text, "maxProcesses", context.maxProcesses());
        add(text, "maxSendingThreads", context.maxSendingThreads());
        addTransport(text, context);
        add(text, "messageProfile", context.messageProfile() == null ? "not read" : context.messageProfile());
        add(text, "checkInvariants", context.checkInvariants());
        add(text, "deleteOnClose", context.deleteOnClose());
        if (isInUse)
        {
            final int longestRun = Math.min(PacketDescriptor.RUN_SLOTS, context.ringSlots());
            add(text, "mailboxLength", MailboxDescriptor.fileLength(
                context.rankCount(), context.ringSlots(), longestRun, context.expressLanes(), context.laneSlots()));
        }
        return text.append(isInUse ? ", in use}" : ", not in use}").toString();
    }

    private static void addTransport(final StringBuilder text, final NodeContext context)
    {
        if (context.transport() == null)
        {
            add(text, "transport", "none");
            return;
        }
        add(text, "transport", context.transport().getClass().getSimpleName());
        add(text, "node", context.transport().node());
        add(text, "nodes", context.transport().rankMap());
        add(text, "transportSettings", context.transportSettings());
    }

    private static Object computed(final int value, final boolean isInUse)
    {
        return value == 0 && !isInUse ? "computed" : value;
    }

    private static void add(final StringBuilder text, final String name, final Object value)
    {
        text.append(", ").append(name).append('=').append(value);
    }
}
