// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** A service by its name, as a client asks it. It is there while a rank serves the name, whichever that is. */
public final class Service
{
    private final String name;
    private final Directory directory;

    Service(final String name, final Directory directory)
    {
        this.name = name;
        this.directory = directory;
    }

    /**
     * Its name.
     *
     * @return the name.
     */
    public String name()
    {
        return name;
    }

    /**
     * Whether a rank serves it now, as far as this rank has heard. For the thread that polls.
     *
     * @return true if requests can be sent.
     */
    public boolean isThere()
    {
        return directory.find(name) != null;
    }

    /**
     * The rank that serves it now. For the thread that polls.
     *
     * @return the rank; -1 if there is none.
     */
    public int rank()
    {
        final Directory.Entry entry = directory.find(name);
        return entry == null ? -1 : entry.rank;
    }

    @Override
    public String toString()
    {
        return "Service{" + name + ", rank=" + rank() + '}';
    }
}
