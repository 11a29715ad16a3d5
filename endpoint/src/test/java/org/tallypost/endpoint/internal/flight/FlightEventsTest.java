// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.flight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** What is rare is in a recording of the JDK's flight recorder. */
class FlightEventsTest
{
    private static final long LONG_NS = 2_000_000;

    @TempDir
    private Path directory;

    private List<RecordedEvent> recorded(final Recording recording) throws IOException
    {
        final Path file = directory.resolve("events.jfr");
        recording.stop();
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
            .filter((event) -> event.getEventType().getName().startsWith("org.tallypost.")).collect(Collectors.toList());
    }

    private static List<RecordedEvent> of(final List<RecordedEvent> events, final String name)
    {
        return events.stream().filter((event) -> event.getEventType().getName().equals("org.tallypost." + name))
            .collect(Collectors.toList());
    }

    @Test
    void shouldRecordRanksLanesAndStalls() throws IOException
    {
        try (Recording recording = new Recording())
        {
            recording.start();
            try (Node node = Node.launch(
                Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 64).deleteOnClose(true)))
            {
                final Endpoint receiver = node.open(0);
                final Endpoint sender = node.open(1);
                final UnsafeBuffer word = new UnsafeBuffer(new byte[8]);
                stallForLong(sender, word);
                Watchdog.await("a message that went at last", () ->
                {
                    receiver.poll((source, tag, buffer, offset, length) -> word.putLong(0, tag), 10);
                    return sender.offer(0, 1, word, 0, 8) >= 0;
                });
                final boolean[] hasGone = new boolean[1];
                receiver.addMembershipListener(new MembershipListener()
                {
                    @Override
                    public void onOpen(final int rank, final int incarnation)
                    {
                        // it is open already
                    }

                    @Override
                    public void onGone(final int rank, final int incarnation)
                    {
                        hasGone[0] = true;
                    }
                });
                receiver.poll((source, tag, buffer, offset, length) -> word.putLong(0, tag), 10);
                sender.close();
                Watchdog.await("the end of the sender", () ->
                {
                    receiver.poll((source, tag, buffer, offset, length) -> word.putLong(0, tag), 10);
                    return hasGone[0];
                });
                receiver.close();
            }
            final List<RecordedEvent> events = recorded(recording);
            final List<RecordedEvent> ranks = of(events, "Rank").stream()
                .filter((event) -> event.getInt("endpoint") == 0 && event.getInt("other") == 1).collect(Collectors.toList());
            assertEquals(List.of(true, false),
                ranks.stream().map((event) -> event.getBoolean("open")).collect(Collectors.toList()), events::toString);
            final List<RecordedEvent> stalls = of(events, "Stall");
            assertTrue(stalls.stream().anyMatch((event) -> event.getInt("endpoint") == 1 && event.getInt("receiver") == 0 &&
                event.getInt("node") == -1 && event.getDuration("length").toNanos() >= LONG_NS), events::toString);
        }
    }

    @Test
    void shouldRecordWhatIsStolenIfARecordingAsksForIt() throws IOException
    {
        try (Recording recording = new Recording())
        {
            recording.enable("org.tallypost.Steal");
            recording.start();
            final long stolen;
            try (Node node = Node.launch(
                Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, 16).deleteOnClose(true)))
            {
                final Endpoint receiver = node.open(0);
                final Endpoint busy = node.open(1);
                final Endpoint quiet = node.open(2);
                final UnsafeBuffer word = new UnsafeBuffer(new byte[8]);
                Watchdog.await("credits that are stolen from " + quiet, () ->
                {
                    for (int i = 0; i < 100; i++)
                    {
                        busy.offer(0, 1, word, 0, 8);
                        receiver.poll((source, tag, buffer, offset, length) -> word.putLong(0, tag), 10);
                    }
                    return receiver.counters().creditsStolen() > 0;
                });
                stolen = receiver.counters().creditsStolen();
            }
            final List<RecordedEvent> events = of(recorded(recording), "Steal");
            assertEquals(stolen, events.stream().filter((event) -> event.getInt("endpoint") == 0)
                .mapToLong((event) -> event.getLong("credits")).sum(), events::toString);
        }
    }

    private static void stallForLong(final Endpoint sender, final UnsafeBuffer word)
    {
        int refusals = 0;
        long since = 0;
        while (refusals < 20 || System.nanoTime() - since < 2 * LONG_NS)
        {
            if (sender.offer(0, 1, word, 0, 8) == Endpoint.NO_CREDIT && ++refusals == 20)
            {
                since = System.nanoTime();
            }
        }
    }

    @Test
    void shouldRecordWhatItIsTold() throws IOException
    {
        try (Recording recording = new Recording())
        {
            recording.enable("org.tallypost.Revocation");
            recording.enable("org.tallypost.Steal");
            recording.start();
            FlightEvents.link(3, true, "linked");
            FlightEvents.link(3, false, "silent");
            FlightEvents.lane(5, 6, 1, "granted");
            FlightEvents.revocation(5, 7, 8);
            FlightEvents.steal(5, 9);
            FlightEvents.stall(1, 2, true, LONG_NS);
            FlightEvents.stall(1, 2, false, FlightTypes.Stall.LEAST_NS - 1);
            FlightEvents.rank(1, 2, 9, false);
            final List<RecordedEvent> events = recorded(recording);
            assertEquals(List.of("silent"), of(events, "Link").stream().filter((event) -> !event.getBoolean("up"))
                .map((event) -> event.getString("reason")).collect(Collectors.toList()));
            assertEquals("granted", of(events, "Lane").get(0).getString("change"));
            assertEquals(8, of(events, "Revocation").get(0).getInt("credits"));
            assertEquals(9, of(events, "Steal").get(0).getLong("credits"));
            assertEquals(1, of(events, "Stall").size());
            assertEquals(-1, of(events, "Stall").get(0).getInt("receiver"));
            assertEquals(2, of(events, "Stall").get(0).getInt("node"));
            assertEquals(9, of(events, "Rank").get(0).getInt("incarnation"));
        }
    }
}
