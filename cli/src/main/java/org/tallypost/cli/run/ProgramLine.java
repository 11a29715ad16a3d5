// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** The program of all ranks and its arguments. A program called java gets what the runtime needs as its first ones. */
final class ProgramLine
{
    /** What Agrona needs opened, and what calls of the system by java.lang.foreign need. */
    static final List<String> JAVA_FLAGS =
        List.of("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");

    private final List<String> words;

    /**
     * A program.
     *
     * @param given by the user, program first.
     */
    ProgramLine(final List<String> given)
    {
        words = new ArrayList<>(given);
        if (isJava())
        {
            words.addAll(1, JAVA_FLAGS);
        }
    }

    String name()
    {
        return words.get(0);
    }

    boolean isJava()
    {
        return "java".equals(new File(name()).getName());
    }

    List<String> words()
    {
        return words;
    }
}
