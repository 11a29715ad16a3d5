// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.endpoint.IdleTransport.FAR;
import static org.tallypost.node.Internals.local;

import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.transport.MessageTrain;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.ClaimMark;

/** Claims in the ring to another node, and in mailboxes for a sender there, that do not come to their end. */
class LeftRemoteClaimTest extends CarrierFixture
{
    private int heard;
    private boolean isTrainFailing;

    private static final class FailingBuffer extends UnsafeBuffer
    {
        private boolean isArmed;

        FailingBuffer()
        {
            super(new byte[LENGTH]);
        }

        @Override
        public byte[] byteArray()
        {
            if (isArmed)
            {
                throw new InternalError("of a test");
            }
            return super.byteArray();
        }
    }

    @Override
    public TakingTransport newTransport()
    {
        return new TakingTransport()
        {
            @Override
            public boolean onTrain(final MessageTrain train)
            {
                if (isTrainFailing)
                {
                    throw new InternalError("of a test");
                }
                return super.onTrain(train);
            }
        };
    }

    private int fillTheRing()
    {
        int count = 0;
        while (offer(count) >= 0)
        {
            count++;
        }
        return count;
    }

    private void poll()
    {
        from.poll((source, tag, buffer, offset, length) -> heard++, 10);
    }

    @Test
    void shouldNotUseTheCreditsTwiceOfAMessageThatWasHandedOnBeforeAnError()
    {
        launch();
        isTrainFailing = true;
        message.putLong(0, 1);
        assertThrows(InternalError.class, () -> offer(1));
        final MessageBatch batch = new MessageBatch(1);
        message.putLong(0, 2);
        batch.add(2, message, 0, LENGTH);
        assertThrows(InternalError.class, () -> from.offer(FAR, batch));
        isTrainFailing = false;
        assertEquals(CREDITS - 2, credits());
        assertTrue(offer(3) >= 0);
        assertEquals(List.of(1, 2, 3), transport.direct);
        assertEquals(CREDITS - 3, credits());
        assertEquals(4, transport.port().unacknowledged(1));
    }

    @Test
    void shouldNotCommitAClaimOnceMoreThatWasHandedOnBeforeAnError()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        assertTrue(from.tryClaim(FAR, 1, LENGTH, claim) >= 0);
        claim.buffer().putLong(0, 1);
        isTrainFailing = true;
        assertThrows(InternalError.class, claim::commit);
        isTrainFailing = false;
        assertThrows(IllegalStateException.class, claim::commit);
        assertThrows(IllegalStateException.class, claim::abort);
        assertEquals(List.of(1), transport.direct);
        assertEquals(CREDITS - 1, credits());
        assertTrue(from.tryClaim(FAR, 2, LENGTH, claim) >= 0);
        claim.buffer().putLong(0, 2);
        claim.commit();
        assertEquals(List.of(1, 2), transport.direct);
    }

    @Test
    void shouldGetTheCreditsOfAMessageBackThatFailed()
    {
        launch();
        final int before = credits();
        final FailingBuffer failing = new FailingBuffer();
        failing.isArmed = true;
        inThread(() ->
        {
            for (int i = 0; i < 10; i++)
            {
                assertThrows(InternalError.class, () -> from.offer(FAR, 1, failing, 0, LENGTH));
            }
            final MessageBatch batch = new MessageBatch(2);
            failing.isArmed = false;
            batch.add(1, message, 0, LENGTH);
            batch.add(2, failing, 0, LENGTH);
            failing.isArmed = true;
            assertThrows(InternalError.class, () -> from.offer(FAR, batch));
            return null;
        });
        // the first of the batch is out
        assertEquals(before - 1, credits());
        transport.drain();
        assertEquals(1, transport.byRing.size());
        assertTrue(inThread(() -> offer(5)) >= 0);
        transport.drain();
        assertEquals(2, transport.byRing.size());
        assertEquals(0, from.counters().refused());
    }

    @Test
    void shouldNotWaitForEverToCommit()
    {
        launch();
        final int before = credits();
        final MessageClaim claim = new MessageClaim();
        final MessageClaim other = new MessageClaim();
        inThread(() ->
        {
            assertTrue(from.tryClaim(FAR, 1_000_000, LENGTH, claim) >= 0);
            assertTrue(from.tryClaim(FAR, 1_000_001, LENGTH, other) >= 0);
            assertEquals(EGRESS_SLOTS, fillTheRing());
            final MailboxException thrown = assertThrows(MailboxException.class, claim::commit);
            assertTrue(thrown.getMessage().contains("livenessIntervalNs=") && thrown.getMessage().contains("egressSlots=" +
                EGRESS_SLOTS), thrown::getMessage);
            return null;
        });
        assertTrue(claim.state().isOpen());
        transport.drain();
        inThread(() ->
        {
            claim.commit();
            other.abort();
            return null;
        });
        assertFalse(claim.state().isOpen());
        transport.drain();
        assertEquals(1_000_000, transport.byRing.get(EGRESS_SLOTS));
        assertEquals(before - EGRESS_SLOTS - 1, credits());
    }

    /** The ring is full, nobody takes anything out of it, and the receiver is gone: nothing is waited for. */
    @Test
    void shouldLoseACommittedMessageWhoseReceiverIsGone()
    {
        launch();
        final MessageClaim claim = new MessageClaim();
        inThread(() ->
        {
            assertTrue(from.tryClaim(FAR, 1_000_000, LENGTH, claim) >= 0);
            assertEquals(EGRESS_SLOTS, fillTheRing());
            return null;
        });
        transport.port().closePeer(FAR, transport);
        inThread(() ->
        {
            claim.commit();
            return null;
        });
        assertFalse(claim.state().isOpen());
        transport.drain();
        assertEquals(0, transport.byRing.size(), "the rank is closed");
    }

    /** A rank there is closed and opened again, and at no moment does nobody claim in the ring. */
    @Test
    void shouldDrainAPeerWhileOthersClaim()
    {
        launch();
        final long owner = local(node).runtime().ownerWord();
        final long key = local(from).outbox().peers()[FAR].claimKey;
        final ClaimMark[] marks = new ClaimMark[2];
        for (int i = 0; i < marks.length; i++)
        {
            marks[i] = local(node).runtime().registry().takeMark(PacketDescriptor.process(owner),
                PacketDescriptor.incarnation(owner));
        }
        marks[0].intend(key, 1);
        transport.port().closePeer(FAR, transport);
        transport.port().openPeer(FAR, 2, transport);
        final long closed = local(node).runtime().group().rankWord(FAR);
        transport.port().pollRanks(transport);
        assertEquals(closed, local(node).runtime().group().rankWord(FAR), "what is being claimed is waited for");
        marks[1].intend(key, 1);
        marks[0].clear();
        transport.port().pollRanks(transport);
        final long open = local(node).runtime().group().rankWord(FAR);
        assertEquals(GroupDescriptor.STATE_OPEN, GroupDescriptor.state(open));
        assertEquals(GroupDescriptor.epoch(closed) + 1, GroupDescriptor.epoch(open));
        marks[1].clear();
    }

    /** Room for runs of a sender there is claimed, some of it is used, and the thread ends. */
    @Test
    void shouldGiveUpRoomOfAThreadThatEnded()
    {
        launch();
        for (int i = 0; i < 100; i++)
        {
            poll();
            transport.port().pollCredits(transport);
        }
        inThread(() ->
        {
            assertTrue(transport.port().reserve(FAR, 0, 4));
            assertTrue(transport.port().deliverNext(PacketDescriptor.FLAGS_WHOLE, 1, message, 0, LENGTH));
            return null;
        });
        assertTrue(from.offer(0, 1, message, 0, LENGTH) >= 0);
        // its result is there a little before it has ended
        Watchdog.await("what it has written, and what was claimed behind its room", () ->
        {
            node.checkLiveness();
            poll();
            return heard == 2;
        });
        assertEquals(0, from.counters().skippedSlots());
        final ClaimMark mark = local(node).sendingThreads().mine().mark;
        final long key = local(from).mailbox().claimKey();
        mark.intend(key, 1);
        transport.port().release();
        assertTrue(local(node).runtime().registry().isClaiming(key), "the mark is another thread's by now, perhaps");
        mark.clear();
        assertTrue(from.offer(0, 1, message, 0, LENGTH) >= 0);
        poll();
        assertEquals(3, heard);
        assertEquals(0, from.backlogSlots());
    }
}
