// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Which classes of mailbox, credit-protocol and endpoint read a clock: outermost loops, waits that end, and what times something
 * itself. All others get the time as {@code nowNs}. A class that calls no clock any more leaves the list.
 */
@Tag("once")
class ClockRuleTest
{
    private static final String[] MODULES = {
        "org.tallypost.mailbox", "org.tallypost.creditprotocol", "org.tallypost.endpoint", "org.tallypost.node"};
    private static final Set<String> CLOCK_METHODS = Set.of("nanoTime", "currentTimeMillis");
    private static final String CLOCKS_OF_AGRONA = "org.agrona.concurrent.System";

    private static Map<String, String> readers()
    {
        final Map<String, String> readers = new TreeMap<>();
        // outermost loops: they tell what they call the time
        readers.put("org.tallypost.endpoint.internal.local.EndpointIdle", "what a waiting thread calls in turn");
        readers.put("org.tallypost.endpoint.internal.local.LocalNode", "checkLiveness, for a program without that thread");
        readers.put("org.tallypost.endpoint.internal.node.Liveness", "the liveness thread");
        readers.put("org.tallypost.endpoint.internal.receive.Inbox", "poll: idle checks get the time from it");
        readers.put("org.tallypost.endpoint.internal.remote.RingDrain", "the transport's poll of a ring");
        readers.put("org.tallypost.endpoint.transport.TransportIdle", "the transport's idle loop");
        readers.put("org.tallypost.node.NodeAgent", "an agent's duty cycle");
        // waits of a calling thread that end by time
        readers.put("org.tallypost.endpoint.internal.node.Desertion", "looks at heartbeats until they were silent for long");
        readers.put("org.tallypost.endpoint.internal.node.RoomWait", "waits for room on the file system");
        readers.put("org.tallypost.endpoint.internal.remote.RemotePeer", "waits for room in a ring that a transport empties");
        readers.put("org.tallypost.endpoint.internal.remote.TransportHost", "waits for the transport's thread to end");
        readers.put("org.tallypost.endpoint.internal.send.SenderLanes", "close: waits for the ends of lanes");
        readers.put("org.tallypost.endpoint.internal.send.SendingThreads", "close: waits for claims of other threads");
        readers.put("org.tallypost.endpoint.internal.send.ThreadHold", "waits for a holder in the midst of a message");
        readers.put("org.tallypost.endpoint.internal.wake.Doorbell", "sleeps for what is left of a park");
        readers.put("org.tallypost.mailbox.process.LockWait", "waits for a lock of another process");
        // entered from many places, rarely: no caller has the time
        readers.put("org.tallypost.endpoint.internal.node.ClosedNodes", "a launch lets go of former mappings");
        readers.put("org.tallypost.endpoint.internal.node.GuardedErrorHandler", "an error of any thread: bounds floods");
        readers.put("org.tallypost.endpoint.internal.node.Joining", "a launch compares ages of files");
        readers.put("org.tallypost.endpoint.internal.node.Mailboxes", "a mapping lets go of former ones");
        readers.put("org.tallypost.endpoint.internal.receive.CreditAudit", "the beginning of its first interval");
        readers.put("org.tallypost.endpoint.internal.receive.Membership", "claims in doubt, of senders that leave");
        // they time what they do: a time from above would be read at each message
        readers.put("org.tallypost.endpoint.CoreYield", "how long a yield took");
        readers.put("org.tallypost.endpoint.internal.send.Patience", "a refused message, at some attempts");
        readers.put("org.tallypost.endpoint.internal.send.Stalls", "how long a message has stalled, at some attempts");
        readers.put("org.tallypost.mailbox.lane.LanePoller", "a trial, and the end of a flow; takes a clock, for tests");
        readers.put("org.tallypost.mailbox.lane.tactic.Lookout", "a trial's epochs; takes a clock, for tests");
        return readers;
    }

    @Test
    void shouldReadAClockWhereTheListSaysOnly()
    {
        final Set<String> found = new TreeSet<>();
        for (final JavaClass type : ImportedClasses.of(MODULES))
        {
            final boolean isCalling = Stream.<JavaCodeUnitAccess<? extends CodeUnitAccessTarget>>concat(
                type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream())
                .anyMatch((access) -> access.getTargetOwner().isEquivalentTo(System.class) &&
                CLOCK_METHODS.contains(access.getName()));
            final boolean isTakingOne = type.getDirectDependenciesFromSelf().stream().map((each) -> each.getTargetClass())
                .anyMatch((target) -> target.getName().startsWith(CLOCKS_OF_AGRONA) && target.getName().endsWith("Clock"));
            if (isCalling || isTakingOne)
            {
                final String name = type.getName();
                found.add(name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$')));
            }
        }
        assertEquals(readers().keySet(), found,
            "classes that read a clock: pass the time as nowNs, or enter the class here with its reason");
    }
}
