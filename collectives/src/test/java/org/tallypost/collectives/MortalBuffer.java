// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Memory as one member sees it: the member dies before a certain one of its stores, and stores nothing from then on. */
final class MortalBuffer extends UnsafeBuffer
{
    private final Life life;

    MortalBuffer(final ByteBuffer memory, final Life life)
    {
        super(memory);
        this.life = life;
    }

    @Override
    public void putInt(final int index, final int value)
    {
        life.store();
        super.putInt(index, value);
    }

    @Override
    public void putIntRelease(final int index, final int value)
    {
        life.store();
        super.putIntRelease(index, value);
    }

    @Override
    public void putIntOpaque(final int index, final int value)
    {
        life.store();
        super.putIntOpaque(index, value);
    }

    @Override
    public void putLong(final int index, final long value)
    {
        life.store();
        super.putLong(index, value);
    }

    @Override
    public void putLongRelease(final int index, final long value)
    {
        life.store();
        super.putLongRelease(index, value);
    }

    @Override
    public boolean compareAndSetLong(final int index, final long expected, final long value)
    {
        life.store();
        return super.compareAndSetLong(index, expected, value);
    }

    @Override
    public void putBytes(final int index, final DirectBuffer source, final int sourceIndex, final int length)
    {
        life.store();
        super.putBytes(index, source, sourceIndex, length);
    }

    /** How long a member lives. */
    static final class Life
    {
        private long storesLeft = Long.MAX_VALUE;

        /** It dies before the store behind so many. */
        void endAfter(final long stores)
        {
            storesLeft = stores;
        }

        boolean isOver()
        {
            return storesLeft < 0;
        }

        private void store()
        {
            if (storesLeft <= 0)
            {
                storesLeft = -1;
                throw new Death();
            }
            storesLeft--;
        }
    }

    /** What a dead member's calls end with. */
    static final class Death extends Error
    {
        private static final long serialVersionUID = 1L;
    }
}
