// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.collectives.internal.ArenaDescriptor;

/** Files with profiles, good and bad; what follows from a profile; the table that comes from it, sound and damaged. */
class CostProfileTest
{
    /** A line 100, a further one 10, a step 20, a turn 1,000; for a byte copied 1 and 2, reduced 3 and 4. */
    private static final CostProfile PLAIN = CostProfile.measured(100, 10, 20, 1_000, 1_024, 2_048, 3_072, 4_096);

    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatWasWritten() throws IOException
    {
        final Path file = directory.resolve("profile");
        PLAIN.write(file.toFile());
        final CostProfile read = CostProfile.read(file.toFile());
        assertEquals(PLAIN.toText(), read.toText());
        assertEquals(100, read.lineNs());
        assertEquals(10, read.nextLineNs());
        assertEquals(20, read.stepNs());
        assertEquals(1_000, read.turnNs());
        assertEquals(1, read.copyNs(false));
        assertEquals(2, read.copyNs(true));
        assertEquals(3, read.reduceNs(false));
        assertEquals(4, read.reduceNs(true));
        assertEquals(Runtime.getRuntime().availableProcessors(), read.processors());
    }

    @Test
    void shouldRefuseBadAndForeignFiles() throws IOException
    {
        final String sound = PLAIN.toText();
        refuse(sound.replace("processors=", "processors=1"), "processors");
        refuse(sound.replace("machine=", "machine=another "), "machine=another");
        refuse(sound.replace("lineNs=100.000", "lineNs=many"), "lineNs=many");
        refuse(sound.replace("lineNs=100.000", ""), "lineNs=null");
        refuse(sound.replace("lineNs=100.000", "lineNs=-1"), "lineNs out of range: found=-1");
        refuse(sound.replace("lineNs=100.000", "lineNs=NaN"), "lineNs out of range: found=NaN");
        refuse(sound.replace("lineNs=100.000", "lineNs=Infinity"), "lineNs out of range");
        refuse(sound.substring(1), "another first line");
        refuse("", "another first line");
        refuse(CostProfile.HEADING + "\n\\u00zz", "");
        refuse("#".repeat(300_000), "length=300000");
        assertTrue(assertThrows(IllegalArgumentException.class,
            () -> CostProfile.read(directory.resolve("none").toFile())).getMessage().contains("cannot be read"));
        assertThrows(IllegalArgumentException.class, () -> CostProfile.measured(1, 2));
    }

    private void refuse(final String text, final String expected) throws IOException
    {
        final Path file = Files.write(directory.resolve("bad"), text.getBytes(StandardCharsets.ISO_8859_1));
        final String message =
            assertThrows(IllegalArgumentException.class, () -> CostProfile.read(file.toFile())).getMessage();
        assertTrue(message.contains(expected) && message.contains(file.toString()), message);
    }

    /** Times of operations put the model right, between lengths too, and for numbers of members that were not measured. */
    @Test
    void shouldBelieveWhatWasMeasured() throws IOException
    {
        final double blocks = new CostModel(PLAIN, 2, 4, 16_384).cost(Kind.BROADCAST, Algorithm.BLOCKS, 4_096);
        final double direct = new CostModel(PLAIN, 2, 4, 16_384).cost(Kind.BROADCAST, Algorithm.DIRECT, 4_096);
        final CostProfile measured = PLAIN.with(List.of(
            new MeasuredTime("broadcast", 2, 4_096, Algorithm.DIRECT, 9 * direct),
            new MeasuredTime("broadcast", 2, 4_096, Algorithm.BLOCKS, blocks / 2),
            new MeasuredTime("broadcast", 2, 65_536, Algorithm.DIRECT,
                new CostModel(PLAIN, 2, 4, 16_384).cost(Kind.BROADCAST, Algorithm.DIRECT, 65_536))));
        final Path file = directory.resolve("times");
        measured.write(file.toFile());
        final CostProfile read = CostProfile.read(file.toFile());
        assertEquals(measured.toText(), read.toText());
        final CostModel model = new CostModel(read, 2, 4, 16_384);
        assertEquals(9 * direct, model.cost(Kind.BROADCAST, Algorithm.DIRECT, 4_096), 0.2);
        assertEquals(blocks / 2, model.cost(Kind.BROADCAST, Algorithm.BLOCKS, 4_096), 0.2);
        final CostModel plain = new CostModel(PLAIN, 2, 4, 16_384);
        // half of the way from 4 KiB to 64 KiB by the logarithm, and beyond both ends
        assertEquals(3, model.cost(Kind.BROADCAST, Algorithm.DIRECT, 16_384) /
            plain.cost(Kind.BROADCAST, Algorithm.DIRECT, 16_384), 0.01);
        assertEquals(9, model.cost(Kind.BROADCAST, Algorithm.DIRECT, 64) /
            plain.cost(Kind.BROADCAST, Algorithm.DIRECT, 64), 0.01);
        assertEquals(plain.cost(Kind.SCATTER, Algorithm.DIRECT, 64), model.cost(Kind.SCATTER, Algorithm.DIRECT, 64));
        assertEquals(9, new CostModel(read, 5, 4, 16_384).cost(Kind.BROADCAST, Algorithm.DIRECT, 64) /
            new CostModel(PLAIN, 5, 4, 16_384).cost(Kind.BROADCAST, Algorithm.DIRECT, 64), 0.01);
        assertEquals(Algorithm.BLOCKS, AlgorithmTable.of(model).choose(Kind.BROADCAST, 4_096, true));
        final String sound = measured.toText();
        refuse(sound + "time.broadcast.2.64=1\n", "expected time.OPERATION.MEMBERS.BYTES.ALGORITHM");
        refuse(sound + "time.broadcasts.2.64.blocks=1\n", "there is no broadcasts");
        refuse(sound + "time.barrier.2.64.blocks=1\n", "operation without data");
        refuse(sound + "time.broadcast.1.64.blocks=1\n", "members: found=1");
        refuse(sound + "time.broadcast.2.0.blocks=1\n", "length: found=0");
        refuse(sound + "time.broadcast.2.64.fast=1\n", "there is no fast");
        refuse(sound + "time.broadcast.2.64.blocks=0\n", "nanos: found=0");
        refuse(sound + "time.broadcast.2.64.blocks=NaN\n", "nanos: found=NaN");
        refuse(sound + "time.broadcast.two.64.blocks=1\n", "two");
    }

    /** One member has no more members than processors anywhere: the formula of the model, by hand. */
    @Test
    void shouldCostWhatTheFormulaSays()
    {
        final CostModel model = new CostModel(PLAIN, 1, 4, 1_024);
        // a line, a step, 512 bytes copied in and (as fill) again
        assertEquals(100 + 20 + 512 + 512, model.cost(Kind.BROADCAST, Algorithm.BLOCKS, 512));
        // two exchanges and steps; the first operand copied, nothing to reduce it with
        assertEquals(2 * 100 + 2 * 20 + 512, model.cost(Kind.ALL_REDUCE, Algorithm.DIRECT, 512));
        // 8 steps of a block each, 2 windows; 8 KiB copied in, and out
        assertEquals(2 * 100 + 8 * 20 + 2 * 8_192 + 1_024, model.cost(Kind.ALL_REDUCE, Algorithm.BLOCKS, 8_192));
        // far: twice as much for a byte
        assertEquals(2 * 100 + 2 * 20 + 2 * (1 << 20), model.cost(Kind.SCAN, Algorithm.DIRECT, 1 << 20));
        assertEquals(0, model.cost(Kind.SCATTER, Algorithm.DIRECT, 0) - 2 * 100 - 2 * 20);
    }

    /** With more members than processors an exchange takes turns, and algorithms with few steps get better. */
    @Test
    void shouldKnowThatMembersShareProcessors()
    {
        final int members = 4 * Runtime.getRuntime().availableProcessors();
        final CostModel crowded = new CostModel(PLAIN, members, 4, 1_024);
        assertTrue(crowded.cost(Kind.BROADCAST, Algorithm.BLOCKS, 64) > 3_000, "three turns of others");
        assertTrue(crowded.cost(Kind.BROADCAST, Algorithm.BLOCKS, 1 << 16) > 16 * 3_000, "a turn for each window");
        assertTrue(crowded.cost(Kind.BROADCAST, Algorithm.DIRECT, 1 << 16) <
            crowded.cost(Kind.BROADCAST, Algorithm.BLOCKS, 1 << 16));
    }

    @Test
    void shouldChooseWhatCostsLeast()
    {
        final CostModel model = new CostModel(PLAIN, 3, 4, 16_384);
        final AlgorithmTable table = AlgorithmTable.of(model);
        assertEquals(Algorithm.BLOCKS, table.choose(Kind.BARRIER, 0, true));
        for (final Kind kind : Kind.values())
        {
            for (int size = 1; size < 31; size++)
            {
                final int length = (int)(1.4 * (1 << size - 1));
                for (final boolean isDirectlyRead : new boolean[]{false, true})
                {
                    final Algorithm chosen = table.choose(kind, length, isDirectlyRead);
                    assertTrue(AlgorithmTable.isPossible(kind, chosen, isDirectlyRead));
                    for (final Algorithm other : Algorithm.values())
                    {
                        assertTrue(!AlgorithmTable.isPossible(kind, other, isDirectlyRead) ||
                            model.cost(kind, chosen, 1.4 * (1 << size - 1)) <= model.cost(kind, other, 1.4 * (1 << size - 1)));
                    }
                }
            }
        }
        assertEquals(Algorithm.DIRECT, table.choose(Kind.BROADCAST, Integer.MAX_VALUE, true));
        assertEquals(Algorithm.BLOCKS, table.choose(Kind.BROADCAST, Integer.MAX_VALUE, false));
    }

    /** What another core has just written costs as much as memory: slices pay where each member saves much. */
    @Test
    void shouldReduceDirectlyByTwoAndInSlicesByMany()
    {
        for (final int length : new int[]{1 << 12, 1 << 16, 1 << 20, 1 << 24})
        {
            assertEquals(Algorithm.DIRECT, AlgorithmTable.of(new CostModel(CostProfile.usual(), 2, 64, 16_384))
                .choose(Kind.ALL_REDUCE, length, true));
        }
        assertEquals(Algorithm.DIRECT_SLICES, AlgorithmTable.of(new CostModel(CostProfile.usual(), 8, 32, 16_384))
            .choose(Kind.ALL_REDUCE, 1 << 20, true));
    }

    /** What stands in an arena is what was written, or is refused: no length leads to what an operation cannot do. */
    @Test
    void shouldRefuseADamagedTable()
    {
        final UnsafeBuffer arena = new UnsafeBuffer(new byte[ArenaDescriptor.SLEEPING_OFFSET]);
        assertEquals(Kind.values().length, ArenaDescriptor.TABLE_KINDS);
        assertThrows(IllegalArgumentException.class, () -> AlgorithmTable.read(arena, null));
        final AlgorithmTable written = AlgorithmTable.of(new CostModel(PLAIN, 3, 4, 16_384));
        written.write(arena);
        final long seed = System.nanoTime();
        System.out.println("CostProfileTest: seed=" + seed);
        final Random random = new Random(seed);
        int refused = 0;
        for (int round = 0; round < 5_000 || refused == 0; round++)
        {
            written.write(arena);
            arena.putByte(ArenaDescriptor.TABLE_OFFSET + random.nextInt(ArenaDescriptor.TABLE_LENGTH), (byte)random.nextInt());
            try
            {
                final AlgorithmTable read = AlgorithmTable.read(arena, null);
                final Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
                final int length = random.nextInt() >>> 1 + random.nextInt(31);
                assertTrue(AlgorithmTable.isPossible(kind, read.choose(kind, length, false), false));
            }
            catch (final IllegalArgumentException e)
            {
                refused++;
            }
        }
    }
}
