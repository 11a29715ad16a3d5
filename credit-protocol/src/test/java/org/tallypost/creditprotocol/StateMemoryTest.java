// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that a receiver keeps for each of its senders: counted over the arrays that are really there. */
class StateMemoryTest
{
    private static final int LIMIT = 150;
    private static final int ARRAY_HEADER = 16;
    private static final Map<Class<?>, Integer> WIDTHS =
        Map.of(byte.class, 1, boolean.class, 1, short.class, 2, int.class, 4, long.class, 8);

    @ParameterizedTest
    @ValueSource(ints = {1024, 65_536})
    void shouldNotExceedLimitPerSender(final int senders) throws IllegalAccessException
    {
        final DynamicLedger ledger = new DynamicLedger(senders, 2, 64, new RecordingActions());
        final long held = arrayBytes(ledger);
        final double perSender = (double)held / senders;
        assertTrue(perSender <= LIMIT, "bytes per sender: found " + perSender + ", expected at most " + LIMIT);
        assertEquals(61L * senders, ledger.stateBytes());
        final long overhead = held - ledger.stateBytes();
        assertTrue(overhead >= 0 && overhead <= 256, "array headers and fixed arrays: " + overhead);
    }

    @Test
    void shouldGrowByOneIntPerCreditSlot() throws IllegalAccessException
    {
        final int senders = 1024;
        for (int creditSlots = 1; creditSlots <= 16; creditSlots++)
        {
            final DynamicLedger ledger = new DynamicLedger(senders, creditSlots, 64, new RecordingActions());
            assertEquals(53 + 4 * creditSlots, ledger.stateBytes() / senders);
            assertEquals(53 + 4 * creditSlots, arrayBytes(ledger) / senders);
        }
    }

    @Test
    void shouldCountWhatTellsIdleSenders() throws IllegalAccessException
    {
        final DynamicLedger ledger = new DynamicLedger(
            1024, 2, 64, new RecordingActions(), PiggybackPolicy.ONE_FOR_ONE, StealPolicy.IDLE_FIRST);
        assertEquals(73 * 1024, ledger.stateBytes());
        assertEquals(73, arrayBytes(ledger) / 1024);
    }

    @Test
    void shouldCostLessWhereSlotsAreLent() throws IllegalAccessException
    {
        final LendingLedger ledger = new LendingLedger(1024, 2, 64, new RecordingActions());
        assertEquals(45 * 1024, ledger.stateBytes());
        assertEquals(45, arrayBytes(ledger) / 1024);
    }

    @Test
    void shouldCountStaticLedgerToo() throws IllegalAccessException
    {
        final StaticLedger ledger = new StaticLedger(1024, 2, 64, new RecordingActions());
        assertEquals(4 * 1024, ledger.stateBytes());
        assertEquals(4, arrayBytes(ledger) / 1024);
    }

    /** Bytes of all arrays of primitives that an object of this package reaches over its fields, headers included. */
    private static long arrayBytes(final Object object) throws IllegalAccessException
    {
        return arrayBytes(object, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static long arrayBytes(final Object object, final Set<Object> seen) throws IllegalAccessException
    {
        long bytes = 0;
        for (Class<?> type = object.getClass(); type != Object.class; type = type.getSuperclass())
        {
            for (final Field field : type.getDeclaredFields())
            {
                if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive())
                {
                    continue;
                }
                field.setAccessible(true);
                final Object value = field.get(object);
                if (value == null || !seen.add(value))
                {
                    continue;
                }
                if (value.getClass().isArray())
                {
                    bytes += ARRAY_HEADER + (long)WIDTHS.get(value.getClass().getComponentType()) * Array.getLength(value);
                }
                else if (value instanceof ActivityLists || value instanceof SenderRows || value instanceof LoanRows ||
                    value instanceof IdleWatch)
                {
                    bytes += arrayBytes(value, seen);
                }
                else
                {
                    assertTrue(value instanceof LedgerActions || value instanceof PiggybackPolicy, field + " holds state");
                }
            }
        }
        return bytes;
    }
}
