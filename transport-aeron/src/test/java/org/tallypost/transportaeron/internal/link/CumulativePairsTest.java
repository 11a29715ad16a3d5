// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/** Grants, receipts and returns as absolute counts: lost, repeated, late, out of order, from another time. */
class CumulativePairsTest
{
    private static final int PAIR = 1;
    private static final int PAIRS = 3;
    private static final int DATA_REGION = 1000;

    private final Drops drops = new Drops();
    private final IngressPairs ingress = new IngressPairs(PAIRS, drops);
    private final EgressPairs egress = new EgressPairs(PAIRS, DATA_REGION, drops);

    private void open(final int senderEpoch, final int receiverEpoch)
    {
        ingress.open(PAIR, senderEpoch, receiverEpoch);
        egress.open(PAIR, senderEpoch, receiverEpoch);
    }

    @Test
    void shouldApplyAGrantOnce()
    {
        open(1, 1);
        final int count = ingress.grant(PAIR, 8);
        assertEquals(8, egress.onGrant(PAIR, 1, 1, count));
        assertEquals(0, egress.onGrant(PAIR, 1, 1, count));
        final int later = ingress.grant(PAIR, 3);
        assertEquals(11, later);
        assertEquals(3, egress.onGrant(PAIR, 1, 1, later));
        assertEquals(0, egress.onGrant(PAIR, 1, 1, count), "late");
        assertEquals(0, drops.total());
    }

    @Test
    void shouldMakeUpForAGrantThatWasLost()
    {
        open(1, 1);
        ingress.grant(PAIR, 8);
        assertEquals(10, egress.onGrant(PAIR, 1, 1, ingress.grant(PAIR, 2)));
        assertEquals(10, ingress.granted(PAIR));
    }

    @Test
    void shouldRefuseWhatBelongsToAnotherIncarnation()
    {
        open(3, 5);
        assertEquals(0, egress.onGrant(PAIR, 2, 5, 8));
        assertEquals(0, egress.onGrant(PAIR, 3, 4, 8));
        assertEquals(0, egress.onGrant(0, 3, 5, 8), "a pair that is closed");
        ingress.grant(PAIR, 8);
        assertFalse(ingress.onPacket(PAIR, 2, 5, 1, true));
        assertFalse(ingress.onPacket(PAIR, 3, 6, 1, true));
        assertEquals(0, ingress.onReturned(PAIR, 3, 6, 1));
        assertTrue(ingress.onPacket(PAIR, 3 + (1 << 16), 5 - (1 << 16), 1, true), "only the low 16 bits travel");
        ingress.close(PAIR);
        egress.close(PAIR);
        assertFalse(ingress.isOpen(PAIR) || egress.isOpen(PAIR));
        assertFalse(ingress.onPacket(PAIR, 3, 5, 1, true));
        assertEquals(0, egress.onGrant(PAIR, 3, 5, 8));
        assertEquals(8, drops.count(Drop.RANK_EPOCH));
        assertEquals(8, drops.total());
    }

    @Test
    void shouldTakeNoPacketWithoutACredit()
    {
        open(1, 1);
        assertFalse(ingress.onPacket(PAIR, 1, 1, 1, true));
        ingress.grant(PAIR, 10);
        assertTrue(ingress.onPacket(PAIR, 1, 1, 7, true));
        assertFalse(ingress.onPacket(PAIR, 1, 1, 4, true));
        assertTrue(ingress.onPacket(PAIR, 1, 1, 3, false));
        assertFalse(ingress.onPacket(PAIR, 1, 1, 1, true));
        assertEquals(3, drops.count(Drop.NO_CREDIT));
        assertEquals(1, ingress.received(PAIR));
        assertEquals(0, ingress.creditsOut(PAIR));
    }

    @Test
    void shouldCountRoomThatIsReservedAsUsedWhateverComes()
    {
        open(1, 1);
        ingress.open(0, 1, 1);
        ingress.grant(PAIR, 20);
        ingress.grant(0, 20);
        assertFalse(ingress.mayTake(PAIR, 1, 1, 21));
        assertFalse(ingress.mayTake(PAIR, 2, 1, 1));
        assertTrue(ingress.mayTake(PAIR, 1, 1, 5));
        ingress.reserve(PAIR, 5);
        assertEquals(15, ingress.creditsOut(PAIR));
        assertFalse(ingress.onPacket(PAIR, 2, 1, 2, true));
        assertTrue(ingress.onPacket(PAIR, 1, 1, 2, true));
        assertEquals(15, ingress.creditsOut(PAIR));
        assertTrue(ingress.onPacket(PAIR, 1, 1, 4, true), "longer than what is left");
        assertEquals(11, ingress.creditsOut(PAIR));
        ingress.reserve(PAIR, 5);
        assertTrue(ingress.onPacket(0, 1, 1, 2, true), "another pair");
        assertEquals(18, ingress.creditsOut(0));
        assertTrue(ingress.onPacket(PAIR, 1, 1, 1, true));
        assertEquals(5, ingress.creditsOut(PAIR));
        ingress.reserve(PAIR, 5);
        ingress.release();
        assertFalse(ingress.onPacket(PAIR, 1, 1, 1, true));
        assertEquals(3, ingress.received(PAIR));
    }

    @Test
    void shouldTellOfNudgesThatWentOutWhetherTheyWereRead()
    {
        open(1, 1);
        assertEquals(0, egress.onNudged(PAIR, 1, 1, 1), "none went out");
        assertEquals(1, drops.count(Drop.COUNT));
        egress.onNudge(PAIR);
        egress.onNudge(PAIR);
        ingress.onNudgesRead(PAIR, 2);
        assertEquals(2, egress.onNudged(PAIR, 1, 1, ingress.nudged(PAIR)));
        assertEquals(0, egress.onNudged(PAIR, 1, 1, 1), "late");
        assertEquals(0, egress.onNudged(PAIR, 1, 1, 2), "repeated");
        assertEquals(0, egress.onNudged(PAIR, 2, 1, 3), "of another incarnation");
        egress.onNudge(PAIR);
        open(2, 1);
        assertEquals(0, ingress.nudged(PAIR));
        assertEquals(0, egress.onNudged(PAIR, 2, 1, 1));
        assertEquals(2, drops.count(Drop.COUNT));
        assertEquals(1, drops.count(Drop.RANK_EPOCH));
    }

    @Test
    void shouldRefuseCountsThatCannotBe()
    {
        open(1, 1);
        assertEquals(0, egress.onGrant(PAIR, 1, 1, DATA_REGION + 1));
        assertEquals(DATA_REGION, egress.onGrant(PAIR, 1, 1, DATA_REGION));
        egress.onSent(PAIR, 1);
        egress.onReceipt(PAIR, 1, 1, 2);
        assertEquals(1, egress.unacknowledged(PAIR));
        egress.onReceipt(PAIR, 1, 1, 1);
        assertEquals(0, egress.unacknowledged(PAIR));
        ingress.grant(PAIR, 5);
        assertEquals(0, ingress.onReturned(PAIR, 1, 1, 6));
        assertEquals(5, ingress.onReturned(PAIR, 1, 1, 5));
        assertEquals(3, drops.count(Drop.COUNT));
    }

    @Test
    void shouldCountAcrossTheWrap()
    {
        final int step = 1 << 30;
        final EgressPairs wide = new EgressPairs(PAIRS, step, drops);
        ingress.open(PAIR, 1, 1);
        wide.open(PAIR, 1, 1);
        int before = 0;
        for (int i = 0; i < 9; i++)
        {
            final int count = ingress.grant(PAIR, step);
            assertEquals(step, wide.onGrant(PAIR, 1, 1, count));
            assertEquals(0, wide.onGrant(PAIR, 1, 1, before), "late");
            assertFalse(ingress.onPacket(PAIR, 1, 1, step + 1, false));
            assertTrue(ingress.onPacket(PAIR, 1, 1, step - 5, false));
            assertEquals(5, ingress.onReturned(PAIR, 1, 1, wide.giveBack(PAIR, 5)));
            before = count;
        }
        assertEquals(step, ingress.granted(PAIR), "gone round twice");
        assertEquals(0, ingress.creditsOut(PAIR));
    }

    @Test
    void shouldStillTellWhatIsMissingWhenThePairIsClosed()
    {
        open(1, 1);
        for (int i = 0; i < 5; i++)
        {
            egress.onSent(PAIR, 1);
        }
        egress.onReceipt(PAIR, 1, 1, 3);
        egress.close(PAIR);
        egress.onReceipt(PAIR, 1, 1, 4);
        assertEquals(2, egress.unacknowledged(PAIR));
    }

    /** What is on its way; the network may do anything to it but invent. */
    private record Control(int type, int senderEpoch, int receiverEpoch, int count)
    {
    }

    /**
     * The sender spends what it has, the receiver frees and grants, counts are lost, repeated and shuffled, incarnations
     * change: no credit is ever invented, and once the last counts arrive, none is missing.
     */
    @Property(tries = 1000)
    void shouldNeitherInventNorLoseACredit(@ForAll final long seed)
    {
        final Random random = new Random(seed);
        final Run run = new Run(random);
        final int incarnations = 1 + random.nextInt(3);
        for (int i = 0; i < incarnations; i++)
        {
            run.restart();
            for (int step = 0; step < 200; step++)
            {
                run.step();
            }
            run.settle();
        }
    }

    /** One pair, both sides, and the network between them. */
    private static final class Run
    {
        private static final int REGION = 64;

        private final Random random;
        private final Drops drops = new Drops();
        private final IngressPairs ingress = new IngressPairs(PAIRS, drops);
        private final EgressPairs egress = new EgressPairs(PAIRS, REGION, drops);
        private final List<Control> network = new ArrayList<>();
        private final List<Integer> data = new ArrayList<>();
        private int senderEpoch = 0xFFFE;
        private int receiverEpoch = 7;
        private int held;
        private int free;
        private int unread;
        private int messages;
        private int missing;

        Run(final Random random)
        {
            this.random = random;
        }

        void restart()
        {
            senderEpoch += random.nextInt(3);
            receiverEpoch++;
            ingress.open(PAIR, senderEpoch, receiverEpoch);
            egress.open(PAIR, senderEpoch, receiverEpoch);
            data.clear();
            held = 0;
            unread = 0;
            messages = 0;
            missing = 0;
            free = REGION;
        }

        void step()
        {
            switch (random.nextInt(6))
            {
                case 0:
                    grant();
                    break;
                case 1:
                    spend();
                    break;
                case 2:
                    arrive();
                    break;
                case 3:
                    giveBack();
                    break;
                case 4:
                    disturb();
                    break;
                default:
                    free += unread;
                    unread = 0;
                    break;
            }
            assertTrue(held + dataSlots() <= ingress.creditsOut(PAIR), "invented");
            assertEquals(REGION, free + unread + ingress.creditsOut(PAIR), "lost or invented by the receiver");
        }

        private int dataSlots()
        {
            return data.stream().mapToInt(Integer::intValue).sum();
        }

        private void grant()
        {
            final int credits = random.nextInt(free + 1);
            free -= credits;
            network.add(new Control(FrameDescriptor.TYPE_GRANT, senderEpoch, receiverEpoch, ingress.grant(PAIR, credits)));
            network.add(new Control(FrameDescriptor.TYPE_RECEIPT, senderEpoch, receiverEpoch, ingress.received(PAIR)));
        }

        private void spend()
        {
            if (held > 0)
            {
                final int slots = 1 + random.nextInt(held);
                held -= slots;
                data.add(slots);
                egress.onSent(PAIR, 1);
                messages++;
            }
        }

        private void arrive()
        {
            final int count = Math.min(data.size(), 1 + random.nextInt(3));
            final List<Integer> next = data.subList(0, count);
            final int together = next.stream().mapToInt(Integer::intValue).sum();
            if (count > 1)
            {
                assertTrue(ingress.mayTake(PAIR, senderEpoch, receiverEpoch, together), "paid for");
                ingress.reserve(PAIR, together);
            }
            // what does not come is freed by the receiver all the same
            final int given = count > 1 && random.nextInt(4) == 0 ? 1 : count;
            for (final int slots : next.subList(0, given))
            {
                assertTrue(ingress.onPacket(PAIR, senderEpoch, receiverEpoch, slots, true), "an honest packet was refused");
            }
            ingress.release();
            messages -= count - given;
            missing += count - given;
            unread += together;
            next.clear();
        }

        private void giveBack()
        {
            if (held > 0)
            {
                final int credits = 1 + random.nextInt(held);
                held -= credits;
                network.add(new Control(
                    FrameDescriptor.TYPE_RESPONSE, senderEpoch, receiverEpoch, egress.giveBack(PAIR, credits)));
            }
        }

        private void disturb()
        {
            for (int i = random.nextInt(4); i >= 0 && !network.isEmpty(); i--)
            {
                final int index = random.nextInt(network.size());
                deliver(random.nextInt(3) == 0 ? network.get(index) : network.remove(index));
                if (!network.isEmpty() && random.nextInt(4) == 0)
                {
                    network.remove(random.nextInt(network.size()));
                }
            }
        }

        private void deliver(final Control control)
        {
            switch (control.type)
            {
                case FrameDescriptor.TYPE_GRANT:
                    held += egress.onGrant(PAIR, control.senderEpoch, control.receiverEpoch, control.count);
                    break;
                case FrameDescriptor.TYPE_RECEIPT:
                    egress.onReceipt(PAIR, control.senderEpoch, control.receiverEpoch, control.count);
                    break;
                default:
                    free += ingress.onReturned(PAIR, control.senderEpoch, control.receiverEpoch, control.count);
                    break;
            }
        }

        /** The timer repeats the last counts, and these arrive. */
        void settle()
        {
            while (!data.isEmpty())
            {
                arrive();
            }
            deliver(new Control(FrameDescriptor.TYPE_GRANT, senderEpoch, receiverEpoch, ingress.granted(PAIR)));
            deliver(new Control(FrameDescriptor.TYPE_RESPONSE, senderEpoch, receiverEpoch, egress.returned(PAIR)));
            deliver(new Control(FrameDescriptor.TYPE_RECEIPT, senderEpoch, receiverEpoch, ingress.received(PAIR)));
            assertEquals(held, ingress.creditsOut(PAIR), "all that is out is held");
            assertEquals(messages, ingress.received(PAIR));
            assertEquals(missing, egress.unacknowledged(PAIR));
            assertEquals(0, drops.count(Drop.COUNT) + drops.count(Drop.NO_CREDIT), drops.toString());
        }
    }
}
