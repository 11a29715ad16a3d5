// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.benchmarks.PlanFixture;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.Phase;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.SendRegionDescriptor;
import org.tallypost.benchmarks.plan.Sizing;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.plan.Way;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.Node;

/**
 * Ranks 0 and 1 of an alltoall by regions, driven by a group; rank 2 is the test itself, and says what it likes.
 */
class RegionParticipantTest
{
    private static final RunPlan PLAN = PlanFixture.plan(WorkloadKind.ALLTOALL, 3, 1, 3, 2048, Flow.DYNAMIC);
    private static final Step STEP = new Step(0, new Way(Flow.DYNAMIC, MessagePath.REGIONS), Phase.VERIFIED, 0, -1);

    @TempDir
    private Path directory;

    private final Pattern pattern = new Pattern(PLAN.ranks(), PLAN.messageLength());
    private final SendRegionDescriptor layout = new SendRegionDescriptor(PLAN);
    private final UnsafeBuffer announcement = new UnsafeBuffer(new byte[AnnouncementDescriptor.LENGTH + 1]);
    private Node node;
    private Endpoint stranger;
    private List<Endpoint> endpoints;
    private RankGroup group;
    private RegionMemory memory;

    @BeforeEach
    void open()
    {
        node = Node.launch(new NodeContext().directory(directory.resolve("node").toFile()).rankCount(PLAN.ranks()));
        endpoints = List.of(node.open(0), node.open(1));
        stranger = node.open(2);
        memory = RegionMemory.open(node, stranger);
        group = new RankGroup(PLAN, MessagePath.REGIONS, pattern, node, endpoints);
        group.begin(STEP);
    }

    @AfterEach
    void close()
    {
        group.close();
        memory.close();
        endpoints.forEach(Endpoint::close);
        stranger.close();
        node.close();
    }

    @Test
    void shouldTakeAnAnnouncementOfOneSlot()
    {
        assertEquals(1, Sizing.slotsOf(AnnouncementDescriptor.LENGTH));
        assertTrue(AnnouncementDescriptor.KEY_OFFSET + RegionKey.LENGTH <= AnnouncementDescriptor.PLACE_OFFSET);
    }

    @Test
    void shouldEndWhenAllMessagesAreCopied()
    {
        final Region region = memory.register((int)layout.length(), Region.READ | Region.WRITE);
        region.key(new RegionKey()).encode(announcement, AnnouncementDescriptor.KEY_OFFSET);
        for (int dest = 0; dest < 2; dest++)
        {
            final int place = layout.windowsOffset() + dest * PLAN.messageLength();
            region.buffer().putBytes(place, pattern.buffer(), pattern.offset(2, dest, 0), PLAN.messageLength());
            announce(dest, place, PLAN.messageLength(), AnnouncementDescriptor.LENGTH);
        }
        Watchdog.await("the messages of rank 2", () -> sweep() && group.check().checked() == 4);
        // rank 2 has copied nothing yet
        assertTrue(group.participants().stream().noneMatch(Participant::isDone));
        assertEquals(1, region.buffer().getLongAcquire(layout.receiptOffset(0)));
        assertEquals(1, region.buffer().getLongAcquire(layout.receiptOffset(1)));
        final int[] heard = new int[1];
        Watchdog.await("announcements to rank 2", () ->
        {
            stranger.poll((source, tag, buffer, offset, length) -> heard[0] += copied(buffer, offset), 10);
            return heard[0] == 2;
        });
        Watchdog.await("the receipts of rank 2", () -> sweep() && group.isDone());
        assertEquals(0, group.check().mismatches(), group.check()::firstMismatch);
    }

    @Test
    void shouldFindAMessageThatIsNotWhatWasSent()
    {
        final Region region = memory.register((int)layout.length(), Region.READ | Region.WRITE);
        region.key(new RegionKey()).encode(announcement, AnnouncementDescriptor.KEY_OFFSET);
        region.buffer().putBytes(0, pattern.buffer(), pattern.offset(2, 0, 0), PLAN.messageLength());
        region.buffer().putByte(2047, (byte)~region.buffer().getByte(2047));
        announce(0, 0, PLAN.messageLength(), AnnouncementDescriptor.LENGTH);
        assertMismatch("byte 2047: found");
    }

    @Test
    void shouldRefuseWhatIsNoAnnouncement()
    {
        announce(0, 0, PLAN.messageLength(), 7);
        assertMismatch("an announcement of 7 bytes");
    }

    @Test
    void shouldRefuseALongerMessage()
    {
        announce(0, 0, PLAN.messageLength() + 1, AnnouncementDescriptor.LENGTH);
        assertMismatch("of another length");
    }

    @Test
    void shouldRefuseAnUnknownKey()
    {
        announcement.putLong(AnnouncementDescriptor.KEY_OFFSET, -1L);
        announce(0, 0, PLAN.messageLength(), AnnouncementDescriptor.LENGTH);
        assertMismatch("region of the sender: the key names no rank");
    }

    @Test
    void shouldRefuseAPlaceOutsideOfTheRegion()
    {
        final Region region = memory.register(PLAN.messageLength(), Region.READ | Region.WRITE);
        region.key(new RegionKey()).encode(announcement, AnnouncementDescriptor.KEY_OFFSET);
        announce(0, 1, PLAN.messageLength(), AnnouncementDescriptor.LENGTH);
        assertMismatch("region of the sender: some of the bytes lie outside of the region");
    }

    private void announce(final int dest, final int place, final int messageLength, final int length)
    {
        announcement.putInt(AnnouncementDescriptor.PLACE_OFFSET, place);
        announcement.putInt(AnnouncementDescriptor.LENGTH_OFFSET, messageLength);
        Watchdog.await("credits towards rank " + dest, () -> stranger.offer(dest, 0, announcement, 0, length) >= 0);
    }

    /** Writes the receipt of rank 2 into the region that was announced. */
    private int copied(final DirectBuffer buffer, final int offset)
    {
        final RemoteRegion region = new RemoteRegion();
        assertEquals(0, region.attach(memory, new RegionKey().decode(buffer, offset + AnnouncementDescriptor.KEY_OFFSET)));
        assertEquals(0, region.putOrdered(layout.receiptOffset(2), 1));
        return 1;
    }

    private boolean sweep()
    {
        group.sweep();
        return true;
    }

    private void assertMismatch(final String text)
    {
        Watchdog.await("a mismatch", () -> sweep() && group.check().mismatches() > 0);
        assertTrue(group.check().firstMismatch().contains(text), group.check()::firstMismatch);
    }
}
