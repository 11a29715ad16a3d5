// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Items come out as they were packed; anything else is an error that says which item, what was found and what expected. */
class MessageTest extends DeckFixture
{
    private MailBox box;
    private MailBoxReference to;
    private Message sent;
    private Message got;

    @BeforeEach
    void launch()
    {
        launch(1, DEFAULTS);
        box = decks[0].createMailBox("box");
        to = decks[0].cloneMailBox("box");
        sent = decks[0].newMessage(200);
        got = decks[0].newMessage(0);
    }

    private void exchange()
    {
        to.post(sent);
        box.retrieve(got);
    }

    private static void fails(final String expected, final Executable call)
    {
        final String message = assertThrows(UnpackException.class, call).getMessage();
        assertEquals("wrong item in a message: " + expected, message);
    }

    @Test
    void shouldUnpackWhatWasPacked()
    {
        sent.pack((byte)-1).pack((short)-2).pack(-3).pack(-4L).pack(0.5f).pack(-0.25);
        sent.pack(new byte[] {9, 1, 2}, 1, 2).pack(new short[] {3}, 0, 1).pack(new int[] {4, 5}, 0, 2);
        sent.pack(new long[] {6}, 0, 1).pack(new float[] {7}, 0, 1).pack(new double[] {0, 8, 9, 0}, 1, 2);
        sent.packUtf8("größer").pack(new int[0], 0, 0);
        exchange();
        assertEquals(sent.packedLength(), got.length());
        assertEquals(-1, got.unpackByte());
        assertEquals(-2, got.unpackShort());
        assertEquals(-3, got.unpackInt());
        assertEquals(-4, got.unpackLong());
        assertEquals(0.5f, got.unpackFloat());
        assertEquals(-0.25, got.unpackDouble());
        final byte[] bytes = new byte[2];
        got.unpack(bytes, 0, 2);
        assertArrayEquals(new byte[] {1, 2}, bytes);
        final short[] shorts = new short[1];
        got.unpack(shorts, 0, 1);
        assertArrayEquals(new short[] {3}, shorts);
        assertEquals("int[]", got.nextType());
        final int[] ints = new int[got.nextCount()];
        got.unpack(ints, 0, 2);
        assertArrayEquals(new int[] {4, 5}, ints);
        final long[] longs = new long[1];
        got.unpack(longs, 0, 1);
        assertArrayEquals(new long[] {6}, longs);
        final float[] floats = new float[1];
        got.unpack(floats, 0, 1);
        assertArrayEquals(new float[] {7}, floats);
        final double[] doubles = new double[4];
        got.unpack(doubles, 2, 2);
        assertArrayEquals(new double[] {0, 0, 8, 9}, doubles);
        assertEquals("größer", got.unpackUtf8());
        assertEquals(0, got.nextCount());
        got.unpack(ints, 0, 0);
        assertFalse(got.hasNext());
    }

    @Test
    void shouldNameTheItemThatIsAnother()
    {
        sent.pack(1).pack(2.0).pack(new long[3], 0, 3);
        exchange();
        got.unpackInt();
        fails("item=1, byte=5, found=double, expected=int", got::unpackInt);
        fails("item=1, byte=5, found=double, expected=text", got::unpackUtf8);
        // nothing was taken
        assertEquals(2.0, got.unpackDouble());
        fails("item=2, byte=14, found=long[] of 3, expected=long[] of 2", () -> got.unpack(new long[2], 0, 2));
        fails("item=2, byte=14, found=long[], expected=int[]", () -> got.unpack(new int[3], 0, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> got.unpack(new long[2], 0, 3));
        got.unpack(new long[3], 0, 3);
        fails("item=3, byte=43, found=nothing, expected=byte", got::unpackByte);
        got.clear();
        fails("item=3, byte=43, found=nothing, expected=long", got::unpackLong);
    }

    /** As from a sender that is broken: nothing beyond the message is read. */
    @Test
    void shouldRefuseItemsThatCannotBe()
    {
        final String[] texts = new String[3];
        final int[][] items = {{ItemType.ARRAY + ItemType.DOUBLE, 2}, {ItemType.UTF8, -1}, {99, 0}};
        for (int i = 0; i < items.length; i++)
        {
            sent.clear();
            sent.pack((byte)0).pack(0).pack(0L);
            sent.packed().putByte(0, (byte)items[i][0]);
            sent.packed().putInt(1, items[i][1], java.nio.ByteOrder.LITTLE_ENDIAN);
            exchange();
            texts[i] = assertThrows(UnpackException.class, got::nextCount).getMessage();
        }
        assertTrue(texts[0].contains("found=double[] of 2, with 11 bytes left"), texts[0]);
        assertTrue(texts[1].contains("found=text of -1"), texts[1]);
        assertTrue(texts[2].contains("found=unknown type 99"), texts[2]);
    }

    @Test
    void shouldSayHowMuchRoomThereIs()
    {
        sent.pack(new byte[190], 0, 190);
        final String message = assertThrows(IndexOutOfBoundsException.class, () -> sent.pack(1L)).getMessage();
        assertTrue(message.contains("item=long of 1, found=5 bytes free, expected=9"), message);
        sent.pack(1);
        assertEquals(200, sent.packedLength());
        assertThrows(IndexOutOfBoundsException.class, () -> sent.pack(new int[1], 1, 1));
    }

    @Test
    void shouldHaveBuffersOfThePublishedLengths()
    {
        final double[] published = {19.29, 39.21, 79.14, 159.06, 318.98, 638.90};
        for (int i = 0; i < published.length; i++)
        {
            assertEquals(published[i], SizeClass.poolLength(10 + i, 10) / 1024.0, 0.011);
        }
        assertEquals(SizeClass.poolLength(17, 10), box.poolLength());
        assertEquals(5, SizeClass.of(10));
        assertEquals(3, SizeClass.of(0));
        for (int sizeClass = SizeClass.MIN; sizeClass <= SizeClass.MAX; sizeClass++)
        {
            assertEquals(sizeClass, SizeClass.of(SizeClass.length(sizeClass)));
            assertEquals(sizeClass + 1, SizeClass.of(SizeClass.length(sizeClass) + 1));
        }
        assertEquals(131_064, SizeClass.length(17));
    }
}
