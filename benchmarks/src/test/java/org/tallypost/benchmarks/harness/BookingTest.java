// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BookingTest
{
    @Test
    void shouldBeReadAsItWasWritten()
    {
        final Booking booking = new Booking(10_000_000, 9_000_000, 20_000, 0, 3, 400_000, Booking.UNKNOWN, Booking.NO_DETAIL);
        assertEquals("BOOKED 10000000 9000000 20000 0 3 400000 -1 -", booking.toLine());
        assertEquals(booking, Booking.parse(booking.toLine()));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "BOOKED", "hello", "BOOKED 1 2 3 4 5 6 7", "BOOKED 1 2 3 4 5 6 x -", "BOOKED 1 2 3 4 5 6 -7 -",
        "BOOKED 1 2 3 4 5 6 7 - -", "BOOKED 1 2 3 4 5 6 99999999999999999999 -" })
    void shouldNameWhatIsNoBooking(final String line)
    {
        final String message = assertThrows(IllegalArgumentException.class, () -> Booking.parse(line)).getMessage();
        assertTrue(message.startsWith("found '" + line + "', expected BOOKED"), message);
    }

    @Test
    void shouldCountWhatIsKnownOfLostTime()
    {
        assertEquals(0.03, booking(200_000, 200_000).lostShare(2), 1e-9);
        assertEquals(0.02, booking(200_000, Booking.UNKNOWN).lostShare(2), 1e-9);
        assertEquals(0, booking(Booking.UNKNOWN, Booking.UNKNOWN).lostShare(2));
        assertEquals(0, new Booking(0, 0, 0, 0, 0, 5, 5, Booking.NO_DETAIL).lostShare(2));
    }

    private static Booking booking(final long runDelayNs, final long stealNs)
    {
        return new Booking(10_000_000, 9_000_000, 20_000, 0, 0, runDelayNs, stealNs, Booking.NO_DETAIL);
    }
}
