// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.node.Node;

/**
 * A message to another thread and one back: the measured thread sends and waits, the other one answers. Both read the
 * whole message. {@link BaselineBenchmark#clock} is in each sample, but not in the average.
 */
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class LatencyBenchmark
{
    private static final int THREADS = 2;
    private static final int POLL_LIMIT = 16;

    /** What both levels have in common. */
    @State(Scope.Thread)
    public abstract static class Pair
    {
        /** Bytes of a message. */
        @Param({"8", "48", "2048"})
        public int length;

        /** Slots of a mailbox of 64 bytes. */
        @Param("1024")
        public int slots;

        private final Patience patience = new Patience(THREADS);
        private File directory;
        private Partner partner;

        /** Makes the files and starts the other side. */
        @Setup(Level.Trial)
        public void setUp()
        {
            directory = ScratchDirectory.create();
            open(directory);
            partner = new Partner("ponger", THREADS, this::answer);
        }

        /** Stops the other side and removes the files. */
        @TearDown(Level.Trial)
        public void tearDown()
        {
            try
            {
                partner.close();
            }
            finally
            {
                close();
                ScratchDirectory.delete(directory);
            }
        }

        abstract void open(File in);

        void close()
        {
        }

        abstract boolean ping();

        abstract boolean takeAnswer();

        abstract boolean answer();

        /** To be called when nothing has happened. */
        final void await()
        {
            if (patience.miss())
            {
                partner.check();
            }
        }

        final void roundTrip()
        {
            while (!ping())
            {
                await();
            }
            while (!takeAnswer())
            {
                await();
            }
            patience.reset();
        }
    }

    /** Two mailboxes, with a window instead of credits. */
    @State(Scope.Thread)
    public static class Mailboxes extends Pair
    {
        private MailboxSender pinger;
        private MailboxReceiver pingerBox;
        private MailboxSender ponger;
        private MailboxReceiver pongerBox;

        @Override
        void open(final File in)
        {
            final Registry registry = Registry.create(new File(in, "registry"), 1, THREADS);
            final int process = registry.join(System.currentTimeMillis());
            final ClaimMark ping = registry.takeMark(process, registry.incarnation(process));
            final ClaimMark pong = registry.takeMark(process, registry.incarnation(process));
            final int runSlots = MailboxDescriptor.slots(length);
            final Mailbox there = Mailbox.create(new File(in, "ponger"), 0, 1, 1, slots, runSlots);
            final Mailbox here = Mailbox.create(new File(in, "pinger"), 1, 1, 1, slots, runSlots);
            pinger = new MailboxSender(there, ping, 0, length, slots);
            pongerBox = new MailboxReceiver(there, slots);
            ponger = new MailboxSender(here, pong, 0, length, slots);
            pingerBox = new MailboxReceiver(here, slots);
        }

        @Override
        boolean ping()
        {
            return pinger.send(1);
        }

        @Override
        boolean takeAnswer()
        {
            return pingerBox.poll(1) > 0;
        }

        @Override
        boolean answer()
        {
            // no more than one is under way: the window never fills
            return pongerBox.poll(1) > 0 && ponger.send(1);
        }
    }

    /** Two endpoints with dynamic flow control. */
    @State(Scope.Thread)
    public static class Endpoints extends Pair
    {
        private Node node;
        private Endpoint pinger;
        private Endpoint ponger;
        private UnsafeBuffer message;
        private UnsafeBuffer reply;
        private final Taker taken = new Taker();
        private final Taker asked = new Taker();
        private long answered;

        @Override
        void open(final File in)
        {
            message = Payload.create(length);
            reply = Payload.create(length);
            node = Node.launch(new NodeContext().directory(new File(in, "node")).rankCount(THREADS)
                .slotsPerSender(slots / THREADS).flow(Flow.DYNAMIC).livenessThread(false));
            ponger = node.open(0);
            pinger = node.open(1);
        }

        @Override
        void close()
        {
            node.close();
        }

        @Override
        boolean ping()
        {
            return pinger.offer(0, 1, message, 0, length) >= 0;
        }

        @Override
        boolean takeAnswer()
        {
            final long before = taken.messages;
            pinger.poll(taken, POLL_LIMIT);
            return taken.messages != before;
        }

        @Override
        boolean answer()
        {
            ponger.poll(asked, POLL_LIMIT);
            if (asked.messages == answered || ponger.offer(1, 1, reply, 0, length) < 0)
            {
                return false;
            }
            answered++;
            return true;
        }
    }

    /** Reads and counts messages. */
    static final class Taker implements MessageListener
    {
        private long messages;
        private long sum;

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            sum += Payload.read(buffer, offset, length);
            messages++;
        }

        @Override
        public String toString()
        {
            return "messages=" + messages + ", sum=" + sum;
        }
    }

    /**
     * Mailbox to mailbox.
     *
     * @param pair of them.
     */
    @Benchmark
    public void mailbox(final Mailboxes pair)
    {
        pair.roundTrip();
    }

    /**
     * Endpoint to endpoint.
     *
     * @param pair of them.
     */
    @Benchmark
    public void endpoint(final Endpoints pair)
    {
        pair.roundTrip();
    }
}
