// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.SenderLanes;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/** A thread that an Error takes out of a claim, at any step of it, while its process lives. */
@Tag("once")
class LeftClaimTest
{
    private static final int SLOTS = 64;
    private static final int RUN = 3;

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]);
    private final int[] got = new int[3];
    private final MessageListener counting = (source, tag, buffer, offset, length) -> got[source]++;
    private Node node;
    private Endpoint to;
    private Endpoint from;
    private Endpoint third;

    /** Steps of a claim of {@link #RUN} slots after which the thread is lost. */
    enum Step
    {
        INTENDED,
        TAKEN,
        PLACED,
        HALF_PUBLISHED,
        PUBLISHED
    }

    /** A program's memory, which is there until it is read. */
    private static final class FailingBuffer extends UnsafeBuffer
    {
        private final Error error;
        private boolean isArmed;

        FailingBuffer(final Error error)
        {
            super(new byte[Endpoint.MAX_RUN_LENGTH]);
            this.error = error;
        }

        FailingBuffer arm()
        {
            isArmed = true;
            return this;
        }

        private void check()
        {
            if (isArmed)
            {
                throw error;
            }
        }

        @Override
        public byte[] byteArray()
        {
            check();
            return super.byteArray();
        }

        @Override
        public long addressOffset()
        {
            check();
            return super.addressOffset();
        }
    }

    private void launch(final int lanes)
    {
        node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, SLOTS).checkInvariants(true)
            .expressLanes(lanes).livenessThread(false));
        from = node.open(0);
        to = node.open(1);
        third = node.open(2);
        send(from);
        send(third);
    }

    @AfterEach
    void close()
    {
        if (node != null)
        {
            node.close();
        }
        assertNull(failure.get());
    }

    /** One message comes. */
    private void send(final Endpoint sender)
    {
        final int before = got[sender.rank()];
        Fixtures.awaitOffer(sender, 1, message, 16, counting, to);
        Fixtures.pollUntil("message of rank " + sender.rank(), counting, () -> got[sender.rank()] > before, to);
    }

    /** Messages of all come at once, and no credit is lost, without a look for damage. */
    private void shouldBeRight()
    {
        send(third);
        send(from);
        Fixtures.pollUntil("balance: " + Fixtures.books(to), counting, () -> Fixtures.isBalanced(to), to);
        Fixtures.assertConserved(to);
        assertEquals(0, to.counters().repairedCredits(), "an audit found credits missing");
        assertEquals(0, to.counters().skippedSlots());
        assertEquals(0, to.counters().refused());
        // and all of them can be used, many times over
        for (int i = 0; i < 4 * SLOTS; i++)
        {
            Fixtures.awaitOffer(from, 1, message, 100, counting, to);
        }
        Fixtures.pollUntil("balance after use", counting, () -> Fixtures.isBalanced(to), to);
    }

    private Thread run(final String name, final Runnable body)
    {
        return Fixtures.start(name, body, failure);
    }

    private void join(final Thread thread)
    {
        Watchdog.awaitEnds(List.of(thread), failure);
    }

    /** Does the first steps of a claim as a sender does them, and what its handler of errors does without any stack. */
    private void loseAt(final Step step)
    {
        final SendingThread sender = local(node).sendingThreads().mine();
        final Peer peer = local(from).outbox().peers()[1];
        int taken = 0;
        sender.mark.intend(peer.claimKey, RUN);
        if (step.compareTo(Step.TAKEN) >= 0)
        {
            long word = peer.creditWord();
            while (!peer.tryWithdraw(word, RUN))
            {
                word = peer.creditWord();
            }
            taken = RUN;
        }
        if (step.compareTo(Step.PLACED) >= 0)
        {
            final long position = peer.mailbox.claim(sender.mark, RUN);
            for (int i = 0; i < (step == Step.PUBLISHED ? RUN : step == Step.HALF_PUBLISHED ? 1 : 0); i++)
            {
                peer.mailbox.settle(sender.mark, position + i, PacketDescriptor.TYPE_NUDGE, 0, 0, 0);
            }
        }
        sender.leftPeer = peer;
        sender.leftTaken = taken;
        sender.isLeft = true;
    }

    @ParameterizedTest
    @EnumSource
    void shouldFinishWhatAThreadLeftThatEnded(final Step step)
    {
        launch(0);
        join(run("lost", () -> loseAt(step)));
        node.checkLiveness();
        shouldBeRight();
    }

    @ParameterizedTest
    @EnumSource
    void shouldFinishWhatAThreadLeftThatDoesOtherThings(final Step step)
    {
        launch(0);
        final CountDownLatch end = new CountDownLatch(1);
        final CountDownLatch lost = new CountDownLatch(1);
        final Thread thread = run("elsewhere", () ->
        {
            loseAt(step);
            lost.countDown();
            await(end);
            // and then sends again
            while (from.offer(1, 1, message, 0, 16) < 0)
            {
                Thread.yield();
            }
        });
        await(lost);
        node.checkLiveness();
        shouldBeRight();
        end.countDown();
        Fixtures.pollUntil("its last message", counting, () -> !thread.isAlive(), to);
        shouldBeRight();
    }

    @ParameterizedTest
    @EnumSource
    void shouldFinishWhatItLeftItselfBeforeItSendsAgain(final Step step)
    {
        launch(0);
        join(run("again", () ->
        {
            loseAt(step);
            while (from.offer(1, 1, message, 0, 16) < 0)
            {
                Thread.yield();
            }
        }));
        shouldBeRight();
    }

    /** Of such a thread nothing is known: its mark is evidence as that of a dead process, and the books are audited. */
    @ParameterizedTest
    @EnumSource(names = {"INTENDED", "TAKEN", "PLACED"})
    void shouldPassOverWhatAThreadLeftThatCouldSayNothing(final Step step)
    {
        launch(0);
        join(run("mute", () ->
        {
            loseAt(step);
            local(node).sendingThreads().mine().isLeft = false;
        }));
        node.checkLiveness();
        Fixtures.pollUntil("balance", counting, () -> Fixtures.isBalanced(to), to);
        Fixtures.assertConserved(to);
        send(third);
        send(from);
        assertEquals(step == Step.PLACED ? RUN : 0, to.counters().skippedSlots());
    }

    private static void await(final CountDownLatch latch)
    {
        Watchdog.await("another thread", () -> latch.getCount() == 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldNotLeaveAClaimOpenWhenAProgramsMemoryFails(final int lanes)
    {
        launch(lanes);
        for (final Error error : new Error[]{new InternalError("file was cut off"), new OutOfMemoryError("of a test")})
        {
            for (final int length : new int[]{8, 48, 700, Endpoint.MAX_RUN_LENGTH})
            {
                if (lanes > 0)
                {
                    for (int i = 0; i < 4 * SenderLanes.STREAK; i++)
                    {
                        send(from);
                    }
                }
                final FailingBuffer failing = new FailingBuffer(error);
                Fixtures.awaitOffer(from, 1, failing, 8, counting, to);
                final Error thrown = assertThrows(Error.class, () -> offerArmed(failing, length));
                assertSame(error.getClass(), thrown.getClass());
                shouldBeRight();
                final LongSend send = from.newSend();
                failing.isArmed = false;
                assertThrows(Error.class, () -> sendArmed(send, failing, Math.min(length, 200)));
                assertFalse(send.isActive(), "an Error ends it");
                shouldBeRight();
            }
        }
    }

    private void offerArmed(final FailingBuffer failing, final int length)
    {
        failing.arm();
        Fixtures.pollUntil("an offer that fails", counting, () -> from.offer(1, 1, failing, 0, length) >= 0, to);
    }

    private void sendArmed(final LongSend send, final FailingBuffer failing, final int length)
    {
        failing.arm();
        Fixtures.pollUntil("a Send that fails", counting, () ->
            (send.isActive() ? send.progress() : send.start(1, 1, failing, 0, length)) >= 0, to);
    }

    @Test
    void shouldGiveUpTheRestOfABatchWhenAProgramsMemoryFails()
    {
        launch(0);
        final FailingBuffer failing = new FailingBuffer(new InternalError("of a test"));
        final MessageBatch batch = new MessageBatch(3);
        batch.add(1, message, 0, 100);
        batch.add(2, failing, 0, 100);
        batch.add(3, message, 0, 100);
        failing.arm();
        final int before = got[0];
        assertThrows(InternalError.class, () ->
            Fixtures.pollUntil("a batch that fails", counting, () -> from.offer(1, batch) >= 0, to));
        shouldBeRight();
        assertTrue(got[0] > before);
    }

    /** The case that cannot be put down step by step: where the stack ends is everywhere once. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldBearThreadsThatAreShortOfStack(final int lanes)
    {
        launch(lanes);
        final int[] lengths = {8, 100, 600};
        for (int i = 0; i < 90; i++)
        {
            final int pad = i / 3;
            final int length = lengths[i % 3];
            final Thread diver = new Thread(null, () -> dive(pad, length), "diver", 200_000);
            diver.start();
            Fixtures.pollUntil("end of a thread short of stack", counting, () -> !diver.isAlive(), to);
            node.checkLiveness();
            send(third);
            send(from);
        }
        shouldBeRight();
    }

    private void dive(final int pad, final int length)
    {
        try
        {
            if (pad > 0)
            {
                dive(pad - 1, length);
            }
            else
            {
                deeper(length, 0, 0, 0);
            }
        }
        catch (final StackOverflowError error)
        {
            // as a program that does not know better
        }
    }

    private int deeper(final int length, final long a, final long b, final int depth)
    {
        try
        {
            return 1 + deeper(length, b, a + 1, depth + 1);
        }
        catch (final StackOverflowError error)
        {
            // as a logger that reports it: again with a little more stack, one frame up, if this ends with the same error
            from.offer(1, 1, message, 0, length);
            return 0;
        }
    }

    /** A lane that an Error took its holder out of is given back, without its holder. */
    @Test
    void shouldEndALaneWhoseHolderFailed()
    {
        launch(2);
        final CountDownLatch end = new CountDownLatch(1);
        final CountDownLatch lost = new CountDownLatch(1);
        final Thread holder = run("holder", () ->
        {
            while (local(from).outbox().peers()[1].lane == null || !local(from).outbox().peers()[1].lane.isHolder())
            {
                from.offer(1, 1, message, 0, 40);
            }
            final FailingBuffer failing = new FailingBuffer(new InternalError("of a test"));
            failing.arm();
            final LaneSender lane = local(from).outbox().peers()[1].lane;
            while (!lane.failed)
            {
                try
                {
                    from.offer(1, 1, failing, 0, 40);
                }
                catch (final InternalError error)
                {
                    // by the ring it fails, too
                }
            }
            // as if there had been no stack for the call that says it is out
            lane.enter();
            lost.countDown();
            await(end);
        });
        Fixtures.pollUntil("failure in a lane", counting, () -> lost.getCount() == 0, to);
        node.checkLiveness();
        Fixtures.pollUntil("end of the lane", counting, () -> local(from).outbox().peers()[1].lane == null, to);
        shouldBeRight();
        end.countDown();
        join(holder);
    }

    @Test
    void shouldCloseWhileAThreadHasLeftAClaim()
    {
        launch(0);
        final CountDownLatch end = new CountDownLatch(1);
        final CountDownLatch lost = new CountDownLatch(1);
        final Thread thread = run("left", () ->
        {
            loseAt(Step.PLACED);
            lost.countDown();
            await(end);
        });
        await(lost);
        node.close();
        end.countDown();
        join(thread);
    }

    private NodeContext few()
    {
        return new NodeContext().directory(new File(directory.toFile(), "few")).groupName("few").rankCount(2)
            .maxSendingThreads(4).livenessThread(false);
    }

    /** Threads that have ended leave their marks to those of other processes; with none left, an offer says so. */
    @Test
    void shouldSayThatThereIsNoMarkLeft()
    {
        try (Node other = Node.launch(few()); Endpoint rank = other.open(0); Endpoint receiver = other.open(1))
        {
            for (int round = 0; round < 3; round++)
            {
                final CountDownLatch end = new CountDownLatch(1);
                final CountDownLatch sent = new CountDownLatch(4);
                final Thread[] threads = new Thread[4];
                for (int i = 0; i < threads.length; i++)
                {
                    threads[i] = run("sender " + i, () ->
                    {
                        while (rank.offer(1, 1, message, 0, 8) < 0)
                        {
                            Thread.yield();
                        }
                        sent.countDown();
                        await(end);
                    });
                }
                Fixtures.pollUntil("messages of four threads", counting, () -> sent.getCount() == 0, receiver);
                final MailboxException ex = assertThrows(MailboxException.class, () -> rank.offer(1, 1, message, 0, 8));
                assertTrue(ex.getMessage().contains("maxSendingThreads"), ex::getMessage);
                end.countDown();
                for (final Thread thread : threads)
                {
                    join(thread);
                }
                try (Node elsewhere = Node.launch(few()))
                {
                    assertThrows(MailboxException.class, () -> local(elsewhere).sendingThreads().mine());
                    other.checkLiveness();
                    local(elsewhere).sendingThreads().mine();
                }
            }
            Fixtures.pollUntil("balance", counting, () -> Fixtures.isBalanced(receiver), receiver);
        }
    }
}
