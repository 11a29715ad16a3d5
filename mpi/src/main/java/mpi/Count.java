// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A number of elements that may be long. */
public final class Count
{
    private long value;

    public Count()
    {
    }

    public Count(final long value)
    {
        this.value = value;
    }

    public long getValue()
    {
        return value;
    }

    public void setValue(final long value)
    {
        this.value = value;
    }
}
