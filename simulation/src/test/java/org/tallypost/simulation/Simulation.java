// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Runs one seed after the other. Loaded by {@link SimulatedClasses}, so that all that it touches is turned round. From outside it
 * is a function of the seed, which returns what happened in all seeds until then.
 */
public final class Simulation implements LongFunction<Map<String, Long>>
{
    private static final int SEEDS_PER_COLLECTION = 50;

    private final Tally tally = new Tally();
    private long count;

    private final SimulationKind kind;

    /**
     * A simulation.
     *
     * @param kind name of what programs do.
     */
    public Simulation(final String kind)
    {
        this.kind = SimulationKind.valueOf(kind);
    }

    private Settlement settlement(final World world)
    {
        return kind == SimulationKind.MATCHED ? new MatchedSettlement(world) :
            kind == SimulationKind.BULK ? new BulkSettlement(world) : new Settlement(world);
    }

    @Override
    public Map<String, Long> apply(final long seed)
    {
        final File directory = makeDirectory();
        final World world = new World(seed, directory, tally, kind);
        Seams.enter(world);
        try
        {
            world.live();
            settlement(world).settle();
        }
        catch (final RuntimeException | AssertionError ex)
        {
            throw new AssertionError("seed " + seed + ": " + ex.getMessage() + "\n  " + world.plan, ex);
        }
        finally
        {
            Seams.enter(null);
            delete(directory);
        }
        tally.add("seeds", 1);
        tally.add("messages", world.books.delivered());
        tally.add("lost and told", world.books.lostAndTold());
        tally.add("lost with their sender", world.books.lostWithSender());
        if (++count % SEEDS_PER_COLLECTION == 0)
        {
            // a simulated process that is killed closes nothing, and its mappings outlive it in this one: a real one's do not
            System.gc();
        }
        return tally.counts();
    }

    private static File makeDirectory()
    {
        final Path memory = Path.of("/dev/shm");
        try
        {
            return (Files.isWritable(memory) ? Files.createTempDirectory(memory, "tallypost-simulation-") :
                Files.createTempDirectory("tallypost-simulation-")).toFile();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void delete(final File directory)
    {
        try (Stream<Path> paths = Files.walk(directory.toPath()))
        {
            paths.sorted(Comparator.reverseOrder()).forEach((path) -> path.toFile().delete());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
