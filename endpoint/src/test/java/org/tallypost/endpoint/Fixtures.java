// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** What several tests need: contexts, messages that can be checked, and the books of an endpoint against shared memory. */
public final class Fixtures
{
    public static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};
    /** Stream, sequence number. */
    static final int MIN_LENGTH = 16;

    private Fixtures()
    {
    }

    public static NodeContext context(
        final Path directory, final Flow flow, final CreditReturn creditReturn, final int ranks, final int slots)
    {
        return new NodeContext().directory(new File(directory.toFile(), "node")).groupName("test").rankCount(ranks)
            .slotsPerSender(slots).flow(flow).creditReturn(creditReturn).livenessIntervalNs(100_000_000L)
            .maxSendingThreads(256).maxProcesses(64)
            .errorHandler((t) ->
            {
                throw new AssertionError("error handler called", t);
            });
    }

    static long seed()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        final String test = StackWalker.getInstance().walk(
            (frames) -> frames.skip(1).findFirst().map(StackWalker.StackFrame::toStackTraceElement).orElseThrow()).toString();
        System.out.println(test + ": seed=" + seed);
        return seed;
    }

    static void fill(
        final MutableDirectBuffer buffer, final int offset, final int length, final long stream, final long sequence)
    {
        buffer.putLong(offset, stream);
        buffer.putLong(offset + 8, sequence);
        final long salt = (stream * 31 + sequence) * 0x9E37_79B9_7F4A_7C15L;
        for (int i = MIN_LENGTH; i < length; i++)
        {
            buffer.putByte(offset + i, (byte)((salt >>> (i & 31)) + i));
        }
    }

    static long stream(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset);
    }

    static long sequence(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + 8);
    }

    public static boolean isWhole(final DirectBuffer buffer, final int offset, final int length)
    {
        final long salt = (stream(buffer, offset) * 31 + sequence(buffer, offset)) * 0x9E37_79B9_7F4A_7C15L;
        for (int i = MIN_LENGTH; i < length; i++)
        {
            if (buffer.getByte(offset + i) != (byte)((salt >>> (i & 31)) + i))
            {
                return false;
            }
        }
        return true;
    }

    static int length(final Random random, final int most)
    {
        final int limit = random.nextInt(4) == 0 ? most : Math.min(most, 200);
        return MIN_LENGTH + random.nextInt(limit - MIN_LENGTH + 1);
    }

    /** Starts a thread that keeps what its body throws, if it is the first. */
    static Thread start(final String name, final Runnable body, final AtomicReference<Throwable> failure)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                body.run();
            }
            catch (final Throwable t)
            {
                failure.compareAndSet(null, t);
            }
        }, name);
        thread.start();
        return thread;
    }

    /** Polls until a condition holds. */
    public static void pollUntil(final String what, final MessageListener handler, final BooleanSupplier condition,
        final Endpoint... all)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what);
        while (!condition.getAsBoolean())
        {
            int work = 0;
            for (final Endpoint endpoint : all)
            {
                work += endpoint.poll(handler, 16);
            }
            if (work > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    public static void awaitOffer(
        final Endpoint from, final int dest, final DirectBuffer message, final int length, final MessageListener handler,
        final Endpoint... polled)
    {
        pollUntil("offer from " + from.rank() + " to " + dest, handler, () ->
        {
            final long result = from.offer(dest, 1, message, 0, length);
            assertTrue(result >= 0 || result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED ||
                result == Endpoint.PEER_GONE, () -> Endpoint.errorString(result));
            return result >= 0;
        }, polled);
    }

    /** Where the lanes of a mailbox begin, behind the ring and its spare slots. */
    static int lanesOffset(final Endpoint receiver)
    {
        final Mailbox mailbox = local(receiver).mailbox();
        final int ringEnd = MailboxDescriptor.ringOffset(mailbox.sources()) +
            (mailbox.ringSlots() + mailbox.runSlots() - 1) * MailboxDescriptor.SLOT_LENGTH;
        return (ringEnd + MailboxDescriptor.LINE_LENGTH - 1) & -MailboxDescriptor.LINE_LENGTH;
    }

    /** Credits in the word of a pair, -1 if it belongs to another incarnation. */
    static int wordCredits(final Endpoint receiver, final int source)
    {
        final long word = local(receiver).mailbox().buffer().getLongVolatile(MailboxDescriptor.sourceLineOffset(source));
        return CreditWord.credits(word);
    }

    /** With everything read and nobody sending: all credits are where the ledger says. */
    static boolean isBalanced(final Endpoint receiver)
    {
        final Ledger ledger = local(receiver).inbox().ledger();
        for (int source = 0; source < ledger.senderCount(); source++)
        {
            if (!ledger.isGone(source) && held(receiver, source) != ledger.currentCredits(source))
            {
                return false;
            }
        }
        return receiver.backlogSlots() == 0;
    }

    /** What a sender holds: in its word, and in hand for its lane. */
    static int held(final Endpoint receiver, final int source)
    {
        return wordCredits(receiver, source) + local(receiver).inbox().grants().inHand(source);
    }

    static String books(final Endpoint receiver)
    {
        final Ledger ledger = local(receiver).inbox().ledger();
        final StringBuilder books = new StringBuilder("rank ").append(receiver.rank()).append(": available=")
            .append(ledger.availableSlots()).append(", unread=").append(receiver.backlogSlots());
        for (int source = 0; source < ledger.senderCount(); source++)
        {
            books.append(", ").append(source).append(ledger.isGone(source) ? "(gone)" : "").append(": current=")
                .append(ledger.currentCredits(source)).append(" word=").append(wordCredits(receiver, source))
                .append(" inHand=").append(local(receiver).inbox().grants().inHand(source));
        }
        return books.toString();
    }

    /** Conservation: what senders hold and what is free is all of the data region. */
    public static void assertConserved(final Endpoint receiver)
    {
        final Ledger ledger = local(receiver).inbox().ledger();
        ledger.checkInvariants();
        int sum = ledger.availableSlots();
        for (int source = 0; source < ledger.senderCount(); source++)
        {
            sum += ledger.currentCredits(source) +
                (ledger instanceof org.tallypost.creditprotocol.StaticLedger ? ledger.retrieved(source) : 0);
        }
        assertEquals(ledger.dataRegion(), sum, () -> books(receiver));
    }
}
