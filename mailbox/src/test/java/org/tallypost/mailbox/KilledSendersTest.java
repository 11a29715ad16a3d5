// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Processes that send into one mailbox while others are killed, or stopped and continued, at random points of sending.
 * {@code -Dtallypost.kills=200} and {@code -Dtallypost.stops=200} make the tests longer.
 */
@Tag("once")
class KilledSendersTest
{
    private static final int CHILDREN = 5;
    private static final int SOURCES = 2 * CHILDREN;
    private static final int QUOTA = 100;
    private static final int RING_SLOTS = 1024;
    private static final int RUN_SLOTS = 10;
    private static final long LIVENESS_INTERVAL_MS = 50;
    private static final int RECOVER_EVERY = 64;

    @TempDir
    private File directory;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final ForkedJvm[] children = new ForkedJvm[CHILDREN];
    private final int[] generations = new int[CHILDREN];
    private final boolean[] isGone = new boolean[SOURCES];
    private Rig rig;
    private Handler handler;
    private long lastDeclaredMs;
    private long longestStallNs;
    private long lastArrivalNs;
    private int idlePolls;
    private int holes;

    private final class Handler implements PacketHandler
    {
        final long[] next = new long[SOURCES];
        long messages;

        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
        {
            final int generation = (int)(Payload.source(buffer, offset) >>> 32);
            final long sequence = Payload.sequence(buffer, offset);
            if ((int)Payload.source(buffer, offset) != source || generation != generations[source / 2] ||
                sequence != next[source] || Payload.firstDamage(buffer, offset, length) >= 0)
            {
                throw new AssertionError("source=" + source + ", generation=" + generations[source / 2] + ", expected=" +
                    next[source] + ", found source=" + (int)Payload.source(buffer, offset) + ", generation=" + generation +
                    ", sequence=" + sequence + ", damaged byte=" + Payload.firstDamage(buffer, offset, length));
            }
            next[source]++;
            messages++;
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            rig.box.buffer().getAndAddLong(line(source) + SendingProcess.CREDITS, slots);
        }
    }

    private static int line(final int source)
    {
        return MailboxDescriptor.sourceLineOffset(source);
    }

    private void start(final int child)
    {
        for (int source = 2 * child; source < 2 * child + 2; source++)
        {
            rig.box.buffer().putLong(line(source) + SendingProcess.PUBLISHED, 0);
            rig.box.buffer().putLongVolatile(line(source) + SendingProcess.CREDITS, QUOTA);
            handler.next[source] = 0;
            isGone[source] = false;
        }
        generations[child]++;
        children[child] = ForkedJvm.start(SendingProcess.class, directory, random.nextLong(), generations[child],
            2 * child, 2 * child + 1);
        lastArrivalNs = System.nanoTime();
    }

    private void startAll()
    {
        rig = new Rig(directory, SOURCES, RING_SLOTS, RUN_SLOTS);
        handler = new Handler();
        for (int child = 0; child < CHILDREN; child++)
        {
            start(child);
        }
        await("first messages of all", () -> minNext() > 0);
        lastArrivalNs = System.nanoTime();
        longestStallNs = 0;
    }

    private boolean hasSent(final int child)
    {
        return handler.next[2 * child] > 0 && handler.next[2 * child + 1] > 0;
    }

    private long minNext()
    {
        long min = Long.MAX_VALUE;
        for (final long next : handler.next)
        {
            min = Math.min(min, next);
        }
        return min;
    }

    /** What a consumer does all the time. */
    private int work()
    {
        final int count = rig.poller.poll(handler, 16);
        final long nowNs = System.nanoTime();
        if (count > 0)
        {
            longestStallNs = Math.max(longestStallNs, nowNs - lastArrivalNs);
            lastArrivalNs = nowNs;
            idlePolls = 0;
            return count;
        }
        final long nowMs = System.currentTimeMillis();
        if (nowMs - lastDeclaredMs >= LIVENESS_INTERVAL_MS)
        {
            lastDeclaredMs = nowMs;
            rig.registry.heartbeat(rig.process, nowMs);
            rig.registry.declareDead();
        }
        if (++idlePolls % RECOVER_EVERY == 0)
        {
            holes += rig.poller.recover(rig.registry, (source) -> !isGone[source]) > 0 ? 1 : 0;
        }
        return 0;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": seed=" + seed + ", position=" +
            rig.poller.position() + ", write position=" + rig.box.writePosition() + ", messages=" + handler.messages);
        while (!condition.getAsBoolean())
        {
            if (work() == 0)
            {
                watchdog.idle();
            }
            watchdog.check();
            if (rig.poller.corruptCount() > 0)
            {
                throw new AssertionError("corrupt header, seed=" + seed);
            }
        }
    }

    private void kill(final int child)
    {
        children[child].kill();
        // while this thread waited for the end of the child it did not poll
        lastArrivalNs = System.nanoTime();
        rig.registry.declareDead();
        for (int source = 2 * child; source < 2 * child + 2; source++)
        {
            isGone[source] = true;
        }
    }

    private void reclaim(final int child)
    {
        final long limit = rig.box.writePosition();
        await("consumer passes what was claimed before the death", () -> rig.poller.position() >= limit);
        rig.registry.forgetDeadClaims(rig.box, rig.poller.position());
        for (int source = 2 * child; source < 2 * child + 2; source++)
        {
            final long published = rig.box.buffer().getLongVolatile(line(source) + SendingProcess.PUBLISHED);
            final long arrived = handler.next[source];
            assertTrue(arrived == published || arrived == published + 1,
                "source=" + source + ", published=" + published + ", arrived=" + arrived + ", seed=" + seed);
        }
    }

    private void finish()
    {
        for (final ForkedJvm child : children)
        {
            child.writeLine("quit");
        }
        await("end of the senders", () ->
        {
            for (final ForkedJvm child : children)
            {
                if (child.isAlive())
                {
                    return false;
                }
            }
            return true;
        });
        await("rest of the messages", () -> rig.poller.position() == rig.box.writePosition());
        for (int child = 0; child < CHILDREN; child++)
        {
            assertEquals(0, children[child].waitFor());
            for (int source = 2 * child; source < 2 * child + 2; source++)
            {
                assertEquals(rig.box.buffer().getLongVolatile(line(source) + SendingProcess.PUBLISHED),
                    handler.next[source], "messages of source " + source);
                assertEquals(QUOTA, rig.box.buffer().getLongVolatile(line(source) + SendingProcess.CREDITS));
            }
        }
    }

    private void closeAll()
    {
        for (final ForkedJvm child : children)
        {
            if (child != null)
            {
                child.close();
            }
        }
    }

    @Test
    void shouldLoseNothingOfTheOthersWhenSendersAreKilled()
    {
        final int kills = Integer.getInteger("tallypost.kills", 15);
        System.out.println("KilledSendersTest kills: seed=" + seed + ", kills=" + kills);
        try
        {
            startAll();
            int killed = 0;
            while (killed < kills)
            {
                final int first = random.nextInt(CHILDREN);
                final int second = random.nextInt(5) == 0 ? (first + 1) % CHILDREN : first;
                await("messages of those to be killed", () -> hasSent(first) && hasSent(second));
                final long untilNs = System.nanoTime() + random.nextInt(5_000_000);
                while (System.nanoTime() - untilNs < 0)
                {
                    work();
                }
                kill(first);
                killed++;
                if (second != first)
                {
                    kill(second);
                    killed++;
                    reclaim(second);
                }
                reclaim(first);
                start(first);
                if (second != first)
                {
                    start(second);
                }
            }
            finish();
        }
        finally
        {
            closeAll();
        }
        System.out.println("KilledSendersTest kills: messages=" + handler.messages + ", dead claims skipped=" + holes +
            ", slots=" + rig.poller.skippedSlots() +
            ", longest stall=" + longestStallNs / 1000 + " us, proof of death included");
    }

    @Test
    void shouldLoseNothingWhenSendersAreStoppedAndContinued()
    {
        final int stops = Integer.getInteger("tallypost.stops", 12);
        System.out.println("KilledSendersTest stops: seed=" + seed + ", stops=" + stops);
        try
        {
            startAll();
            for (int i = 0; i < stops; i++)
            {
                final long until = handler.messages + 1 + random.nextInt(400);
                await("messages between stops", () -> handler.messages >= until);
                final ForkedJvm child = children[random.nextInt(CHILDREN)];
                child.stop();
                final long workUntilNs = System.nanoTime() + random.nextInt(60_000_000);
                while (System.nanoTime() - workUntilNs < 0)
                {
                    work();
                    rig.poller.recover(rig.registry, (source) -> !isGone[source]);
                }
                child.resume();
            }
            finish();
        }
        finally
        {
            closeAll();
        }
        assertEquals(0, rig.poller.skippedSlots());
        System.out.println("KilledSendersTest stops: messages=" + handler.messages + ", longest stall=" +
            longestStallNs / 1000 + " us, stops of up to 60 ms included");
    }
}
