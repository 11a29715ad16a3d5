// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.endpoint.IdleTransport;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.BulkQueueDescriptor;
import org.tallypost.endpoint.internal.node.SharedMapping;
import org.tallypost.endpoint.transport.BulkHandler;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.BulkPort;
import org.tallypost.endpoint.transport.BulkResult;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.BulkListener;
import org.tallypost.node.BulkQueue;
import org.tallypost.node.Internals;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/** A rank's bulk queue, and the agent that reads it. */
class BulkQueueTest implements BulkHandler
{
    private static final long OWNER = 2L << 32 | 1;

    @TempDir
    private Path directory;

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final List<Long> taken = new ArrayList<>();
    private final List<Integer> gone = new ArrayList<>();
    private final List<Long> results = new ArrayList<>();
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[4 << 20]);
    private final IdleTransport transport = new IdleTransport()
    {
        @Override
        public boolean hasBulk()
        {
            return true;
        }
    };
    private BulkOperation last;
    private boolean isRefusing;
    private Node node;
    private Endpoint endpoint;
    private BulkPort port;
    private BulkQueue queue;

    @BeforeEach
    void launch()
    {
        node = Node.launch(new NodeContext().directory(directory.resolve("node").toFile()).groupName("test")
            .rankCount(IdleTransport.RANKS).slotsPerSender(16).transport(transport)
            .transportSettings(new TransportSettings().thread(false)).livenessThread(false).deleteOnClose(true)
            .errorHandler(errors::add));
        endpoint = node.open(0);
        port = transport.port().bulk();
        transport.port().pollRanks(transport);
        queue = BulkQueue.open(node, endpoint);
    }

    @AfterEach
    void close()
    {
        queue.close();
        node.close();
    }

    @Override
    public boolean onOperation(final BulkOperation operation)
    {
        if (isRefusing)
        {
            return false;
        }
        taken.add(operation.number);
        last = operation;
        return true;
    }

    @Override
    public void onQueueGone(final int number)
    {
        gone.add(number);
    }

    private void onDone(final long result, final long value)
    {
        results.add(result);
    }

    private SharedFile file()
    {
        return node.attachShared(BulkQueueDescriptor.name(0, endpoint.epoch()));
    }

    private long load()
    {
        return queue.word(this::onDone, BulkOperation.LOAD, OWNER, 7, 8, 0, 0);
    }

    @Test
    void shouldHandOnOperationsInOrderAndTellWhatBecameOfThem()
    {
        bytes.setMemory(0, 100, (byte)5);
        assertEquals(100, queue.put(this::onDone, OWNER, 7, 16, bytes, 0, 100, 24));
        assertEquals(0, load());
        isRefusing = true;
        assertEquals(0, port.poll(this));
        isRefusing = false;
        assertEquals(2, port.poll(this));
        assertEquals(List.of(0L, 1L), taken);
        assertEquals(BulkOperation.LOAD, last.kind);
        assertEquals(OWNER, last.owner);
        assertEquals(2, last.rank());
        port.complete(last.queue, 1, 4, 99);
        port.complete(last.queue, 1, 5, 99);
        assertEquals(1, queue.poll());
        port.complete(last.queue, 0, BulkResult.STALE, 0);
        port.complete(last.queue + 1, 0, 0, 0);
        assertEquals(1, queue.poll());
        assertEquals(0, queue.poll());
        assertEquals(List.of(4L, BulkResult.STALE), results);
        assertEquals(0, queue.underWay());
        assertCounted(2, 0, 1, 0);
    }

    private void assertCounted(final long operations, final long length, final long refused, final long pending)
    {
        final EndpointCounters counters = endpoint.counters();
        assertEquals(List.of(operations, length, refused, pending), List.of(counters.bulkOperations(), counters.bulkBytes(),
            counters.bulkRefused(), counters.bulkPending()));
    }

    @Test
    void shouldCountWhatIsUnderWayAndDone()
    {
        assertEquals(70_000, queue.put(this::onDone, OWNER, 7, 0, bytes, 0, 70_000, 8));
        assertEquals(100, queue.get(this::onDone, OWNER, 7, 0, bytes, 0, 100));
        assertCounted(4, 0, 0, 4);
        assertEquals(4, port.poll(this));
        for (int number = 0; number < 3; number++)
        {
            port.complete(last.queue, number, 0, 0);
        }
        assertEquals(3, queue.poll());
        assertCounted(4, 70_000, 0, 1);
        queue.close();
        assertCounted(4, 70_000, 0, 0);
        assertEquals(1, queue.poll());
        assertCounted(4, 70_000, 1, 0);
    }

    @Test
    void shouldLeaveTheBufferOfAGetAloneThatIsAbandoned()
    {
        final BulkListener first = this::onDone;
        final BulkListener second = (result, value) -> onDone(result, value);
        assertEquals(100, queue.get(first, OWNER, 7, 0, bytes, 0, 100));
        assertEquals(100, queue.get(second, OWNER, 7, 0, bytes, 100, 100));
        assertEquals(2, port.poll(this));
        final UnsafeBuffer sent = new UnsafeBuffer(new byte[100]);
        sent.setMemory(0, 100, (byte)7);
        queue.abandon(first);
        for (int number = 0; number < 2; number++)
        {
            assertTrue(port.putPiece(last.queue, number, 0, sent, 0, 100));
            port.complete(last.queue, number, 0, 0);
        }
        assertEquals(2, queue.poll());
        assertEquals(List.of(0L, 0L), results);
        assertEquals(0, bytes.getByte(0));
        assertEquals(0, bytes.getByte(99));
        assertEquals(7, bytes.getByte(100));
        assertEquals(7, bytes.getByte(199));
    }

    @Test
    void shouldCutLongPutsAndKeepTheCounterForTheLastPiece()
    {
        final List<Long> counters = new ArrayList<>();
        final BulkHandler handler = handler((operation) ->
        {
            counters.add(operation.first);
            assertEquals(operation.number * BulkQueue.MAX_LENGTH, operation.at);
        });
        assertEquals(64L * BulkQueue.MAX_LENGTH, queue.put(this::onDone, OWNER, 7, 0, bytes, 0, bytes.capacity(), 8));
        assertEquals(BulkResult.BUSY, queue.put(this::onDone, OWNER, 7, 0, bytes, 0, 65, 8));
        assertEquals(BulkResult.BUSY, queue.get(this::onDone, OWNER, 7, 0, bytes, 0, 1));
        assertEquals(64, port.poll(handler));
        assertTrue(counters.stream().allMatch((counter) -> counter == BulkQueue.NO_COUNTER));
        port.complete(1, 3, 0, 0);
        assertEquals(1, queue.poll());
        counters.clear();
        assertEquals(100, queue.put(this::onDone, OWNER, 7, 64L * BulkQueue.MAX_LENGTH, bytes, 0, 100, 8));
        assertEquals(1, port.poll(handler));
        assertEquals(List.of(8L), counters);
    }

    private BulkHandler handler(final java.util.function.Consumer<BulkOperation> action)
    {
        return new BulkHandler()
        {
            @Override
            public boolean onOperation(final BulkOperation operation)
            {
                action.accept(operation);
                return true;
            }

            @Override
            public void onQueueGone(final int number)
            {
                gone.add(number);
            }
        };
    }

    @Test
    void shouldBoundWhatIsUnderWayAndGoOnForMoreThanALap()
    {
        long next = 0;
        for (int lap = 0; lap < 3; lap++)
        {
            while (load() == 0)
            {
                next++;
            }
            assertEquals(BulkQueue.MAX_OPERATIONS, queue.underWay());
            assertEquals(BulkQueue.MAX_OPERATIONS, port.poll(this));
            for (long number = next - 1; number >= next - BulkQueue.MAX_OPERATIONS; number--)
            {
                port.complete(1, number, 0, number);
            }
            assertEquals(BulkQueue.MAX_OPERATIONS, queue.poll());
        }
        assertEquals(3L * BulkQueue.MAX_OPERATIONS, next);
    }

    @Test
    void shouldFillTheBufferOfAGetWithinItsBounds()
    {
        assertEquals(1_000, queue.get(this::onDone, OWNER, 7, 0, bytes, 10, 1_000));
        port.poll(this);
        final UnsafeBuffer ones = new UnsafeBuffer(new byte[2_000]);
        ones.setMemory(0, 2_000, (byte)1);
        assertTrue(port.putPiece(1, 0, 0, ones, 0, 600));
        assertTrue(!port.putPiece(1, 0, 600, ones, 0, 401), "beyond what was asked for");
        assertTrue(!port.putPiece(1, 0, -1, ones, 0, 4));
        assertTrue(!port.putPiece(1, 0, Long.MAX_VALUE, ones, 0, 4));
        assertTrue(!port.putPiece(1, 1, 0, ones, 0, 4), "another operation");
        assertTrue(port.putPiece(1, 0, 600, ones, 0, 400));
        port.complete(1, 0, 0, 0);
        assertEquals(0, bytes.getByte(10), "filled before its poll");
        assertEquals(1, queue.poll());
        assertEquals(0, bytes.getByte(9));
        assertEquals(1, bytes.getByte(10));
        assertEquals(1, bytes.getByte(1_009));
        assertEquals(0, bytes.getByte(1_010));
        assertTrue(!port.putPiece(1, 0, 0, ones, 0, 4), "of an operation that is over");
    }

    @Test
    void shouldEndAGetIntoABufferThatHasBecomeTooShort()
    {
        final UnsafeBuffer target = new UnsafeBuffer(new byte[1_000]);
        for (final int length : new int[]{0, 999})
        {
            results.clear();
            target.wrap(new byte[1_000]);
            assertEquals(990, queue.get(this::onDone, OWNER, 7, 0, target, 10, 990));
            assertEquals(1_000, queue.get(this::onDone, OWNER, 7, 0, bytes, 0, 1_000));
            port.poll(this);
            target.wrap(new byte[length]);
            port.complete(1, last.number - 1, 0, 0);
            port.complete(1, last.number, 0, 0);
            assertEquals(2, queue.poll());
            assertEquals(List.of(BulkResult.OUT_OF_BOUNDS, 0L), results);
            assertEquals(0, queue.underWay());
        }
        assertEquals(
            64L * BulkQueue.MAX_LENGTH, queue.get(this::onDone, OWNER, 7, 0, bytes, 0, bytes.capacity()), "a slot was lost");
    }

    private void assertOver(final long result, final long later)
    {
        assertEquals(2, queue.poll());
        assertEquals(List.of(5L, result), results);
        assertEquals(0, queue.underWay());
        assertEquals(later, load());
        assertEquals(later, queue.put(this::onDone, OWNER, 7, 0, bytes, 0, 10, 8));
        assertEquals(later, queue.get(this::onDone, OWNER, 7, 0, bytes, 0, 10));
        assertEquals(0, queue.poll());
        assertEquals(0, bytes.getByte(0));
    }

    /** The first of two is complete. */
    private void ask()
    {
        load();
        assertEquals(1_000, queue.get(this::onDone, OWNER, 7, 0, bytes, 0, 1_000));
        port.poll(this);
        port.complete(last.queue, 0, 5, 0);
    }

    @Test
    void shouldEndWhatIsUnderWayWhenItIsClosed()
    {
        ask();
        queue.close();
        assertOver(Endpoint.CLOSED, Endpoint.CLOSED);
    }

    @Test
    void shouldEndWhatIsUnderWayWhenItsEndpointIsClosed()
    {
        ask();
        endpoint.close();
        assertOver(Endpoint.CLOSED, Endpoint.CLOSED);
    }

    @Test
    void shouldEndWhatIsUnderWayWhenItsNodeIsClosed()
    {
        ask();
        node.close();
        assertOver(Endpoint.CLOSED, Endpoint.CLOSED);
    }

    @Test
    void shouldEndWhatIsUnderWayWhenTheAgentDropsADamagedQueue()
    {
        ask();
        try (SharedFile other = file())
        {
            other.buffer().putLong(BulkQueueDescriptor.ASKED_OFFSET, 1L << 40);
        }
        port.poll(this);
        port.poll(this);
        assertEquals(List.of(1), gone);
        assertOver(BulkResult.LINK_DOWN, BulkResult.DAMAGED);
    }

    @Test
    void shouldEndWhatIsUnderWayInAQueueThatNoAgentTakes()
    {
        load();
        load();
        try (SharedFile other = file())
        {
            other.buffer().putLong(BulkQueueDescriptor.MAGIC_OFFSET, 1);
        }
        port.poll(this);
        assertEquals(2, queue.poll());
        assertEquals(List.of(BulkResult.LINK_DOWN, BulkResult.LINK_DOWN), results);
        assertEquals(BulkResult.DAMAGED, load());
    }

    @Test
    void shouldEndWhatIsUnderWayIfAnAgentBeginsWhereNothingWasAskedFor()
    {
        for (final long start : new long[]{Long.MIN_VALUE, -1, 3, Long.MAX_VALUE})
        {
            results.clear();
            ask();
            try (SharedFile other = file())
            {
                other.buffer().putLong(BulkQueueDescriptor.START_OFFSET, start);
                other.buffer().putLong(BulkQueueDescriptor.AGENTS_OFFSET, 77);
            }
            assertOver(BulkResult.LINK_DOWN, BulkResult.DAMAGED);
            queue.close();
            port.poll(this);
            queue = BulkQueue.open(node, endpoint);
        }
    }

    @Test
    void shouldEndWhatAFormerAgentHadTaken()
    {
        load();
        load();
        load();
        port.poll(this);
        port.complete(1, 1, 0, 0);
        load();
        final SharedMapping mapping = Internals.local(node).runtime().shared().tryAttach(
            BulkQueueDescriptor.name(0, endpoint.epoch()));
        final QueueReader next = new QueueReader(mapping, 2);
        load();
        assertEquals(1, next.poll(this));
        assertEquals(List.of(0L, 1L, 2L, 4L), taken);
        assertEquals(4, queue.poll());
        assertEquals(1, queue.underWay());
        assertEquals(List.of(0L, BulkResult.LINK_DOWN, BulkResult.LINK_DOWN, BulkResult.LINK_DOWN), results);
        next.complete(4, 3, 0);
        assertEquals(1, queue.poll());
        assertEquals(3, results.get(4));
        next.drop();
    }

    /** Of two operations the agent completes the first one, and any words of the answer are damaged: both end. */
    @Test
    void shouldEndOperationsWhateverIsWrittenIntoTheirAnswers()
    {
        final Random random = new Random(seed());
        final int[] words = {BulkQueueDescriptor.COMPLETED_OFFSET,
            BulkQueueDescriptor.cellOffset(0) + BulkQueueDescriptor.DONE_OFFSET,
            BulkQueueDescriptor.cellOffset(0) + BulkQueueDescriptor.RESULT_OFFSET,
            BulkQueueDescriptor.cellOffset(1) + BulkQueueDescriptor.DONE_OFFSET,
            BulkQueueDescriptor.cellOffset(1) + BulkQueueDescriptor.RESULT_OFFSET,
            BulkQueueDescriptor.START_OFFSET, BulkQueueDescriptor.BEFORE_OFFSET, BulkQueueDescriptor.AGENTS_OFFSET};
        final long[] values = {0, 1, 2, 3, -1, 1_000, Long.MIN_VALUE, Long.MAX_VALUE};
        for (int round = 0; round < 4 * words.length * values.length; round++)
        {
            results.clear();
            load();
            assertEquals(1_000, queue.get(this::onDone, OWNER, 7, 0, bytes, 0, 1_000));
            port.poll(this);
            final boolean isBefore = random.nextBoolean();
            final int word = words[round % words.length];
            final long value = values[round / words.length % values.length];
            try (SharedFile other = file())
            {
                if (isBefore)
                {
                    other.buffer().putLong(word, value);
                    queue.poll();
                }
                port.complete(last.queue, 0, 5, 0);
                other.buffer().putLong(word, value);
                queue.poll();
                port.poll(this);
                queue.poll();
                port.complete(last.queue, 1, 6, 0);
                port.poll(this);
                queue.poll();
            }
            final String what = "word " + word + " = " + value + (isBefore ? ", twice" : "") + ": " + results;
            assertEquals(0, queue.underWay(), what);
            assertEquals(2, results.size(), what);
            for (final long result : results)
            {
                assertTrue(result >= 0 || result == BulkResult.LINK_DOWN || result == BulkResult.DAMAGED, what);
            }
            queue.close();
            port.poll(this);
            queue = BulkQueue.open(node, endpoint);
        }
    }

    /** The rank learns of both by one poll, and the queue is not damaged by that. */
    @Test
    void shouldLearnAtOnceOfTheNextAgentAndOfWhatThatHasCompleted()
    {
        load();
        load();
        port.poll(this);
        final SharedMapping mapping = Internals.local(node).runtime().shared().tryAttach(
            BulkQueueDescriptor.name(0, endpoint.epoch()));
        final QueueReader next = new QueueReader(mapping, 2);
        load();
        load();
        assertEquals(2, next.poll(this));
        next.complete(2, 3, 0);
        assertEquals(3, queue.poll());
        assertEquals(List.of(BulkResult.LINK_DOWN, BulkResult.LINK_DOWN, 3L), results);
        assertEquals(1, queue.underWay());
        next.complete(3, 4, 0);
        assertEquals(1, queue.poll());
        assertEquals(4L, results.get(3));
        assertEquals(0, load());
        next.drop();
    }

    /** An agent that was taken for dead counts on: the rank learns what the next one has completed. */
    @Test
    void shouldGoOnThoughAFormerAgentCountsOn()
    {
        load();
        load();
        port.poll(this);
        final SharedMapping mapping = Internals.local(node).runtime().shared().tryAttach(
            BulkQueueDescriptor.name(0, endpoint.epoch()));
        final QueueReader next = new QueueReader(mapping, 2);
        assertEquals(2, queue.poll());
        load();
        load();
        assertEquals(2, next.poll(this));
        next.complete(2, 3, 0);
        next.complete(3, 3, 0);
        port.complete(1, 0, 0, 0);
        assertEquals(0, next.poll(this));
        assertEquals(2, queue.poll());
        assertEquals(List.of(BulkResult.LINK_DOWN, BulkResult.LINK_DOWN, 3L, 3L), results);
        assertEquals(0, load());
        next.drop();
    }

    /** What a process writes into the cells of another one ends operations, or the queue; nothing else. */
    @Test
    void shouldEndAQueueThatIsDamaged()
    {
        final Random random = new Random(seed());
        for (int round = 0; round < 60; round++)
        {
            taken.clear();
            gone.clear();
            load();
            queue.put(this::onDone, OWNER, 7, 0, bytes, 0, 1_000, 8);
            try (SharedFile other = file())
            {
                final int cell = BulkQueueDescriptor.cellOffset(random.nextInt(2)) + 4 * random.nextInt(15);
                final int at = round == 0 ? BulkQueueDescriptor.ASKED_OFFSET + Integer.BYTES : cell;
                other.buffer().putInt(at, random.nextBoolean() ? random.nextInt() | 1 << 20 : random.nextInt(70) + 1);
            }
            port.poll(handler((operation) ->
            {
                assertTrue(BulkOperation.isKind(operation.kind));
                assertTrue(operation.length >= 0 && operation.length <= BulkQueue.MAX_LENGTH);
                assertTrue(operation.bytes().capacity() >= operation.length);
            }));
            port.poll(this);
            queue.close();
            port.poll(this);
            assertEquals(1, gone.size());
            queue = BulkQueue.open(node, endpoint);
        }
        // not each time: errors that are alike are counted
        assertTrue(errors.stream().anyMatch((error) -> error.getMessage().contains("bulk queue is damaged")), errors::toString);
    }

    private static long seed()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("BulkQueueTest: seed=" + seed);
        return seed;
    }

    @Test
    void shouldDropAQueueWithItsRank()
    {
        load();
        port.poll(this);
        assertThrows(MailboxException.class, () -> BulkQueue.open(node, endpoint), "a second one");
        queue.close();
        port.poll(this);
        assertEquals(List.of(1), gone);
        queue = BulkQueue.open(node, endpoint);
        load();
        assertEquals(1, port.poll(this));
        assertEquals(2, last.queue);
        endpoint.close();
        transport.port().pollRanks(transport);
        port.poll(this);
        assertEquals(List.of(1, 2), gone);
        assertNull(errors.peek());
    }

    /** The rank comes back, and asks, before the agent has looked which ranks are open. */
    @Test
    void shouldReadTheQueueOfARankThatHasComeBackUnseen()
    {
        queue.close();
        endpoint.close();
        endpoint = node.open(0);
        queue = BulkQueue.open(node, endpoint);
        load();
        assertEquals(0, port.poll(this));
        transport.port().pollRanks(transport);
        assertEquals(1, port.poll(this));
        assertNull(errors.peek());
    }

    @Test
    void shouldLocateNothingThatIsNotThere()
    {
        assertEquals(BulkResult.UNKNOWN_KEY, port.locate(OWNER, 7, 1, 0, 8), "of another node");
        assertEquals(BulkResult.UNKNOWN_KEY, port.locate(-1, 7, 1, 0, 8));
        assertEquals(BulkResult.UNKNOWN_KEY, port.locate(99L << 32 | 1, 7, 1, 0, 8));
        assertEquals(Endpoint.PEER_GONE, port.locate(1L << 32 | 1, 7, 1, 0, 8), "not open");
        assertEquals(BulkResult.UNKNOWN_KEY, port.locate(endpoint.epoch(), 7, 1, 0, 8), "no memory");
        assertEquals(BulkResult.UNKNOWN_KEY, port.locate(endpoint.epoch() + 1, 7, 1, 0, 8), "a later incarnation");
    }
}
