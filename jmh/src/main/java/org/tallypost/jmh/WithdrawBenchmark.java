// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;

/**
 * Ways for a sender to take a credit for a message of one slot: alone, and as part of a whole send (mark, credit, claim, one
 * word of payload, publish). The thread gives itself the credits back, every 64 messages, in the way that belongs to each:
 * what is compared is the sender's side. docs/design/credits.md says what each way gives and takes.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsPrepend = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED")
@State(Scope.Thread)
public class WithdrawBenchmark
{
    private static final int GRANT = 64;
    private static final int STATIC_CHUNK = 2;
    private static final int LARGE_CHUNK = 16;
    private static final int RING_SLOTS = 1024;
    private static final int WORD = 128;
    private static final int USE = 256;

    private final UnsafeBuffer pair = new UnsafeBuffer(BufferUtil.allocateDirectAligned(512, 128));
    private File scratch;
    private Mailbox mailbox;
    private ClaimMark mark;
    private int hand;
    private int count;
    private long used;

    /** Makes a mailbox. */
    @Setup
    public void open()
    {
        scratch = ScratchDirectory.create();
        final Registry registry = Registry.create(new File(scratch, "registry"), 1, 1);
        final int process = registry.join(System.currentTimeMillis());
        mark = registry.takeMark(process, registry.incarnation(process));
        mailbox = Mailbox.create(new File(scratch, "mailbox"), 0, 1, 1, RING_SLOTS, 1);
        pair.putLongVolatile(WORD, GRANT);
        hand = 0;
        used = 0;
    }

    /** Removes it. */
    @TearDown
    public void close()
    {
        ScratchDirectory.delete(scratch);
    }

    /** The receiver's part of a word that both write: one addition for 64 messages. */
    private void grant()
    {
        if ((++count & (GRANT - 1)) == 0)
        {
            pair.getAndAddLong(WORD, GRANT);
        }
    }

    private boolean withdraw(final int credits)
    {
        final long word = pair.getLongVolatile(WORD);
        return (int)word >= credits && pair.compareAndSetLong(WORD, word, word - credits);
    }

    private boolean withdrawChunk(final int chunk)
    {
        if (hand == 0)
        {
            if (!withdraw(chunk))
            {
                return false;
            }
            hand = chunk;
        }
        hand--;
        return true;
    }

    /** A word that only the receiver writes, and the sender's own count: nothing can be taken back. */
    private boolean underLimit()
    {
        if (used >= pair.getLongAcquire(WORD))
        {
            return false;
        }
        pair.putLongRelease(USE, ++used);
        if ((used & (GRANT - 1)) == 0)
        {
            pair.putLongRelease(WORD, used + GRANT);
        }
        return true;
    }

    private boolean send(final boolean hasCredit)
    {
        final long position = mailbox.claim(mark, 1);
        mailbox.buffer().putLong(mailbox.payloadOffset(position), position);
        mailbox.publish(mark, position, 3, 3, 16, 0);
        return hasCredit;
    }

    /**
     * Exactly what a message needs, each time.
     *
     * @return true.
     */
    @Benchmark
    public boolean exact()
    {
        grant();
        return withdraw(1);
    }

    /**
     * Chunks of k = 2.
     *
     * @return true.
     */
    @Benchmark
    public boolean chunksOfTwo()
    {
        grant();
        return withdrawChunk(STATIC_CHUNK);
    }

    /**
     * Chunks of 16.
     *
     * @return true.
     */
    @Benchmark
    public boolean chunksOfSixteen()
    {
        grant();
        return withdrawChunk(LARGE_CHUNK);
    }

    /**
     * Cumulative grant, no revocation: the floor.
     *
     * @return true.
     */
    @Benchmark
    public boolean cumulative()
    {
        return underLimit();
    }

    /**
     * A whole send with exact withdrawal.
     *
     * @return true.
     */
    @Benchmark
    public boolean sendExact()
    {
        mark.intend(mailbox.claimKey(), 1);
        return send(exact());
    }

    /**
     * A whole send with chunks of k = 2.
     *
     * @return true.
     */
    @Benchmark
    public boolean sendChunksOfTwo()
    {
        mark.intend(mailbox.claimKey(), 1);
        return send(chunksOfTwo());
    }

    /**
     * A whole send with chunks of 16.
     *
     * @return true.
     */
    @Benchmark
    public boolean sendChunksOfSixteen()
    {
        mark.intend(mailbox.claimKey(), 1);
        return send(chunksOfSixteen());
    }

    /**
     * A whole send with a cumulative grant and no revocation: the floor.
     *
     * @return true.
     */
    @Benchmark
    public boolean sendCumulative()
    {
        mark.intend(mailbox.claimKey(), 1);
        return send(cumulative());
    }

    /**
     * A whole send with a limit that the receiver may lower: use is stored before the claim, which is the full fence, and
     * the limit is read again after it.
     *
     * @return true.
     */
    @Benchmark
    public boolean sendLimitReadAgain()
    {
        mark.intend(mailbox.claimKey(), 1);
        final boolean hasCredit = cumulative();
        return send(hasCredit) && used <= pair.getLongAcquire(WORD);
    }
}
