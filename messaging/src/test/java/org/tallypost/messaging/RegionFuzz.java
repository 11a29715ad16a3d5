// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.FuzzCorpus;
import org.tallypost.mailbox.FuzzInput;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.NameDirectory;
import org.tallypost.node.Node;

/**
 * Two ranks use regions, loans and names while the files of these are damaged, and with keys that are. Each call returns what it
 * may, a length, a state of the rank, or a refusal with words for it, and nothing outside of the memories is touched.
 */
public final class RegionFuzz
{
    private static final int MAX_STEPS = 200;
    private static final int LENGTH = 2_000;
    private static final String NAME = "fuzz";
    private static File scratch;

    private final UnsafeBuffer some = new UnsafeBuffer(new byte[LENGTH]);
    private final UnsafeBuffer keyBytes = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
    private final RegionKey key = new RegionKey();
    private final RemoteRegion remote = new RemoteRegion();
    private final LoanedMessage message = new LoanedMessage();
    private final Loan loan = new Loan();
    private final FuzzInput input;
    private final NameDirectory names;
    private final RegionMemory owner;
    private final RegionMemory other;
    private final Region region;
    private final File directory;
    private boolean isLent;

    private RegionFuzz(
        final FuzzInput input, final File directory, final Node node, final RegionMemory owner, final RegionMemory other)
    {
        this.input = input;
        this.directory = directory;
        this.owner = owner;
        this.other = other;
        names = node.names();
        names.enter(NAME, 0, 7);
        region = owner.register(LENGTH, Region.ALL);
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
        final NodeContext context = new NodeContext().directory(directory).groupName(NAME).rankCount(2).slotsPerSender(16)
            .maxProcesses(2).maxSendingThreads(8).livenessThread(false).errorHandler((t) ->
            {
            });
        try (Node node = Node.launch(context); Endpoint first = node.open(0); Endpoint second = node.open(1);
            RegionMemory owner = RegionMemory.open(node, first, 1 << 16, 8, 4);
            RegionMemory other = RegionMemory.open(node, second, 1 << 16, 8, 4))
        {
            final RegionFuzz fuzz = new RegionFuzz(new FuzzInput(bytes), directory, node, owner, other);
            for (int i = 0; i < MAX_STEPS && fuzz.input.hasMore(); i++)
            {
                fuzz.step();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            IoUtil.delete(directory, true);
        }
    }

    private void step() throws IOException
    {
        switch (input.next(8))
        {
            case 0:
                harm("shared-region-0-1", 4_096 + 128 + 1_024);
                break;
            case 1:
                harm("shared-region-0-1", 128 + 2 * 128 + 4_096);
                break;
            case 2:
                harm("names", 2_048);
                break;
            case 3:
                check(remote.attach(other, harmedKey(region.key(key))));
                break;
            case 4:
                operate();
                break;
            case 5:
                lend();
                break;
            case 6:
                borrow();
                break;
            default:
                name();
                break;
        }
    }

    /** Bytes of the caller change, in place. */
    private void harm(final String name, final int range) throws IOException
    {
        try (RandomAccessFile file = new RandomAccessFile(new File(directory, name), "rw"))
        {
            final long at = (long)input.next(range) & -Long.BYTES;
            if (at + Long.BYTES <= file.length())
            {
                file.seek(at);
                final long word = Long.reverseBytes(file.readLong());
                file.seek(at);
                file.writeLong(Long.reverseBytes(input.nextHarm(word)));
            }
        }
    }

    private RegionKey harmedKey(final RegionKey from)
    {
        from.encode(keyBytes, 0);
        if (input.next(2) == 0)
        {
            final int at = input.next(4) * Integer.BYTES;
            keyBytes.putInt(at, (int)input.nextHarm(keyBytes.getInt(at)));
        }
        return key.decode(keyBytes, 0);
    }

    private static void check(final long result)
    {
        final boolean isRefused = result <= RegionResult.OTHER_NODE && result >= RegionResult.ALREADY_ATTACHED;
        if (result < 0 && !isRefused && result != Endpoint.PEER_GONE && result != Endpoint.CLOSED)
        {
            throw new AssertionError("no such result: " + result);
        }
    }

    private void operate()
    {
        final long at = input.nextHarm(0);
        switch (input.next(5))
        {
            case 0:
                check(remote.put(at, some, 0, input.next(LENGTH)));
                break;
            case 1:
                check(remote.get(at, some, 0, input.next(LENGTH)));
                break;
            case 2:
                check(remote.getAndAdd(at, 1));
                break;
            case 3:
                check(remote.compareAndSet(at, 1, 2));
                break;
            default:
                check(remote.putNotify(at, some, 0, input.next(LENGTH), input.nextHarm(0)));
                break;
        }
    }

    private void lend()
    {
        loan.cancel();
        check(owner.tryLoan(1 + input.next(LENGTH), loan));
        isLent = loan.buffer().capacity() > 0 && loan.lend(1) == 0;
        if (input.next(4) == 0 && loan.takeBack())
        {
            isLent = false;
        }
        owner.collect();
    }

    private void borrow()
    {
        check(message.release());
        check(message.attach(other, harmedKey(loanKey())));
        for (int i = 0; i < message.buffer().capacity(); i++)
        {
            message.buffer().getByte(i);
        }
    }

    private RegionKey loanKey()
    {
        return isLent ? loan.key(key) : region.key(key);
    }

    private void name()
    {
        try
        {
            names.find(NAME);
            names.remove(NAME, 0);
            names.enter(NAME, 0, input.nextLong());
        }
        catch (final MailboxException ex)
        {
            // another rank seems to have the name, or all entries seem to be in use
            names.find(NAME);
        }
    }
}
