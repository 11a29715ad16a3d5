// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.tallypost.benchmarks.compare.AeronDriver;
import org.tallypost.benchmarks.compare.Link;
import org.tallypost.benchmarks.compare.LinkSpec;
import org.tallypost.benchmarks.compare.Mode;
import org.tallypost.benchmarks.compare.Scope;
import org.tallypost.benchmarks.compare.Transport;

/**
 * A transport of the comparison.
 */
final class TransportRoom implements Room
{
    private static final int SLOT_LENGTH = 64;

    private final Transport transport;
    private final File directory;

    TransportRoom(final TrialSpec spec, final TrialSpec.Point point, final File directory)
    {
        this.directory = directory;
        transport = Transport.of(new LinkSpec(spec.contender().kind(), Mode.RATE, Scope.THREADS, spec.length(), spec.senders(),
            point.bytes() / SLOT_LENGTH, spec.contender().flow(), AeronDriver.EMBEDDED), directory, 0);
    }

    @Override
    public Link open(final int party)
    {
        return transport.open(party);
    }

    @Override
    public long bufferBytes()
    {
        return transport.bufferBytes();
    }

    /** The file of the receiver: its mailbox, or the ring towards it. */
    @Override
    public long fileBytes()
    {
        return length(directory, (name) -> name.startsWith("mailbox-0-") || name.equals("ring-0"));
    }

    static long length(final File directory, final Predicate<String> isCounted)
    {
        try (Stream<Path> files = Files.walk(directory.toPath()))
        {
            return files.filter((path) -> isCounted.test(path.getFileName().toString()))
                .mapToLong((path) -> path.toFile().length()).sum();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void close()
    {
        transport.close();
    }
}
