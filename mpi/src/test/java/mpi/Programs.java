// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Several programs in one job, one behind the other: each begins with Init. Those before the last one end with Finalize.
 * Arguments: for each program the name of its class and its arguments, and {@value #NEXT} between two programs.
 */
public final class Programs
{
    static final String NEXT = "--";

    private Programs()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        List<String> words = Arrays.asList(arguments);
        while (!words.isEmpty())
        {
            final int end = words.contains(NEXT) ? words.indexOf(NEXT) : words.size();
            // for what comes of the job: it tells which one has failed
            System.err.println("begins: " + words.subList(0, end));
            Class.forName(words.get(0)).getMethod("main", String[].class)
                .invoke(null, (Object)words.subList(1, end).toArray(new String[0]));
            words = words.subList(Math.min(end + 1, words.size()), words.size());
        }
    }

    /** The arguments for programs with theirs: classes begin a program each. */
    static Object[] arguments(final Object... programs)
    {
        final List<Object> words = new ArrayList<>();
        for (final Object word : programs)
        {
            if (word instanceof Class<?>)
            {
                words.addAll(words.isEmpty() ? List.of() : List.of(NEXT));
                words.add(((Class<?>)word).getName());
            }
            else
            {
                words.add(word);
            }
        }
        return words.toArray();
    }
}
