// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.LinkedHashMap;
import java.util.Map;

/** Hints, by key. This library keeps them, and follows none. */
public final class Info implements Freeable
{
    private Map<String, String> values = new LinkedHashMap<>();

    public Info()
    {
    }

    private Map<String, String> values() throws MPIException
    {
        if (isNull())
        {
            throw new MPIException(MPI.ERR_INFO, "the info is null");
        }
        return values;
    }

    public void set(final String key, final String value) throws MPIException
    {
        if (key.isEmpty() || key.length() > MPI.MAX_INFO_KEY || value.length() > MPI.MAX_INFO_VAL)
        {
            throw new MPIException(key.isEmpty() || key.length() > MPI.MAX_INFO_KEY ? MPI.ERR_INFO_KEY : MPI.ERR_INFO_VALUE,
                "found key of " + key.length() + " and value of " + value.length() + " characters, expected at most " +
                MPI.MAX_INFO_KEY + " and " + MPI.MAX_INFO_VAL);
        }
        values().put(key, value);
    }

    /** The value of a key; null if there is none. */
    public String get(final String key) throws MPIException
    {
        return values().get(key);
    }

    public void delete(final String key) throws MPIException
    {
        if (values().remove(key) == null)
        {
            throw new MPIException(MPI.ERR_INFO_NOKEY, "no such key: found=" + key);
        }
    }

    public int size() throws MPIException
    {
        return values().size();
    }

    public String getKey(final int number) throws MPIException
    {
        if (number < 0 || number >= values().size())
        {
            throw new MPIException(MPI.ERR_INFO_KEY, "no such key: found=" + number + ", expected=0 to " + (values.size() - 1));
        }
        return values.keySet().stream().skip(number).findFirst().orElseThrow();
    }

    public Info dup() throws MPIException
    {
        values();
        return clone();
    }

    @Override
    public Info clone()
    {
        final Info copy = new Info();
        copy.values.putAll(values);
        return copy;
    }

    @Override
    public void free() throws MPIException
    {
        values();
        values = null;
    }

    public boolean isNull()
    {
        return values == null || this == MPI.INFO_NULL;
    }
}
