// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** What a program wants to happen at an error. Errors are exceptions whatever it is; one that nobody catches ends the rank. */
public final class Errhandler implements Freeable
{
    private final String name;

    Errhandler(final String name)
    {
        this.name = name;
    }

    /** Those of the library stay. */
    @Override
    public void free()
    {
        // there are no others
    }

    @Override
    public String toString()
    {
        return name;
    }
}
