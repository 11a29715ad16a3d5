// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.node.Internals.local;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.mailbox.FuzzCorpus;
import org.tallypost.mailbox.FuzzInput;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/**
 * Everything that the endpoints of a node share is damaged while they send, poll and look after one another: pair lines, lane
 * words, lanes, rings, rank words, owners, registry. Nothing is thrown but what is documented, every call returns, and the
 * node closes.
 */
public final class EndpointFuzz
{
    private static final int RANKS = 3;
    private static final int BURST = 48;
    private static final int MOST_STEPS = 400;
    private static File scratch;

    private final FuzzInput input;
    private final Node node;
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final UnsafeBuffer[] shared = new UnsafeBuffer[RANKS + 2];
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[8192]);
    private final MessageClaim claim = new MessageClaim();
    private final MessageBatch batch = new MessageBatch(4);
    private final LongSend handle;
    private long sum;

    private EndpointFuzz(final File directory, final FuzzInput input)
    {
        this.input = input;
        node = Node.launch(context(directory));
        for (int rank = 0; rank < RANKS; rank++)
        {
            endpoints[rank] = node.open(rank);
            shared[rank] = local(endpoints[rank]).mailbox().buffer();
        }
        shared[RANKS] = MappedFiles.map(new File(directory, Group.FILE_NAME), 128, "group");
        shared[RANKS + 1] = MappedFiles.map(new File(directory, NodeFiles.REGISTRY_NAME), 128, "registry");
        handle = endpoints[1].newSend();
        batch.add(1, message, 0, 8);
        batch.add(2, message, 8, 100);
    }

    static NodeContext context(final File directory)
    {
        return new NodeContext().directory(directory).groupName("fuzz").rankCount(RANKS).slotsPerSender(16)
            .livenessThread(false).maxProcesses(2).maxSendingThreads(4).deleteOnClose(true).errorHandler((t) ->
            {
                if (!(t instanceof MailboxException))
                {
                    throw new AssertionError("error handler called", t);
                }
            });
    }

    /**
     * Entry for the fuzzer.
     *
     * @param bytes of the input.
     */
    public static void fuzzerTestOneInput(final byte[] bytes)
    {
        if (scratch == null)
        {
            scratch = FuzzCorpus.scratch();
        }
        run(new File(scratch, "node"), bytes);
    }

    static void run(final File directory, final byte[] bytes)
    {
        final EndpointFuzz fuzz = new EndpointFuzz(directory, new FuzzInput(bytes));
        try
        {
            for (int step = 0; step < MOST_STEPS && fuzz.input.hasMore(); step++)
            {
                fuzz.step();
            }
        }
        finally
        {
            fuzz.node.close();
            org.agrona.IoUtil.delete(directory, true);
        }
    }

    private void step()
    {
        final Endpoint from = endpoints[input.next(RANKS)];
        switch (input.nextByte() % 10)
        {
            case 0:
                harm(shared[input.next(shared.length)], input.next(512) * Long.BYTES);
                break;
            case 1:
                harmSomewhere();
                break;
            case 2:
                header(local(from).mailbox());
                break;
            case 3:
                known(from.offer(input.next(RANKS), 1, message, 0, input.next(2300)));
                break;
            case 4:
                burst(from, input.next(RANKS));
                break;
            case 5:
                claim(from, input.next(RANKS));
                break;
            case 6:
                send(input.next(RANKS));
                break;
            case 7:
                known(from.offer(input.next(RANKS), batch));
                break;
            case 8:
                node.checkLiveness();
                from.counters();
                break;
            default:
                poll(from, 1 + input.next(64));
                break;
        }
    }

    private void harm(final UnsafeBuffer buffer, final int offset)
    {
        final int at = offset % (buffer.capacity() & -Long.BYTES);
        buffer.putLong(at, input.nextHarm(buffer.getLong(at)));
    }

    /** Where it hurts: lines of pairs, positions, and lanes. */
    private void harmSomewhere()
    {
        final Endpoint receiver = endpoints[input.next(RANKS)];
        final UnsafeBuffer buffer = shared[receiver.rank()];
        switch (input.nextByte() % 4)
        {
            case 0:
                harm(buffer, MailboxDescriptor.sourceLineOffset(input.next(RANKS)) + input.next(4) * Long.BYTES);
                break;
            case 1:
                harm(buffer, input.next(2) == 0 ?
                    MailboxDescriptor.WRITE_POSITION_OFFSET : MailboxDescriptor.READ_POSITION_OFFSET);
                break;
            case 2:
                final int line = MailboxDescriptor.sourceLineOffset(input.next(RANKS)) + LaneWord.OFFSET;
                buffer.putLong(line, LaneWord.of(input.next(4), input.next(3), input.next(6), input.next(8)));
                break;
            default:
                harm(buffer, Fixtures.lanesOffset(receiver) + input.next(2048) * Long.BYTES);
                break;
        }
    }

    private void header(final Mailbox mailbox)
    {
        final long position = mailbox.readPosition() + input.next(mailbox.ringSlots());
        final int kind = input.nextByte();
        mailbox.buffer().putLong(mailbox.payloadOffset(position) - MailboxDescriptor.HEADER_LENGTH, MailboxDescriptor.header(
            MailboxDescriptor.lap(position, Integer.numberOfTrailingZeros(mailbox.ringSlots())),
            (kind & 0xF) == 1 ? MailboxDescriptor.TYPE_CLAIMED : kind & 0xF, kind >> 4, input.next(1 << 12),
            input.next(RANKS + 1)));
        mailbox.buffer().putLong(mailbox.payloadOffset(position), input.nextLong());
    }

    private void burst(final Endpoint from, final int dest)
    {
        for (int i = 0; i < BURST; i++)
        {
            known(from.offer(dest, 1, message, 0, 8 + (i & 31)));
            poll(endpoints[dest], 4);
        }
    }

    private void claim(final Endpoint from, final int dest)
    {
        if (claim.state().isOpen())
        {
            claim.commit();
        }
        final boolean isOut = known(from.tryClaim(dest, 1, input.next(400), claim));
        if (isOut && input.nextByte() % 2 == 0)
        {
            claim.abort();
        }
    }

    private void send(final int dest)
    {
        if (handle.isActive())
        {
            known(handle.progress());
            if (input.nextByte() % 4 == 0)
            {
                handle.abort();
            }
        }
        else
        {
            known(handle.start(dest, 1, message, 0, input.next(message.capacity())));
        }
    }

    private static boolean known(final long result)
    {
        if (result < ResultCodes.LAST)
        {
            throw new AssertionError(Endpoint.errorString(result));
        }
        return result >= 0;
    }

    private void poll(final Endpoint endpoint, final int limit)
    {
        endpoint.poll((source, tag, buffer, offset, length) ->
        {
            if (source < 0 || source >= RANKS || length < 0)
            {
                throw new AssertionError("source=" + source + ", length=" + length);
            }
            for (int i = 0; i < length; i++)
            {
                sum += buffer.getByte(offset + i);
            }
        }, limit);
    }
}
