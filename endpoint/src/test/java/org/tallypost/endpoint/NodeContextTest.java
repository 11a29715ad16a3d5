// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What an option means is said once, at its setter, the getter stands beside it, and the guide has a row for each. */
class NodeContextTest
{
    @Test
    void shouldSayOnceWhatAnOptionMeans() throws IOException, ReflectiveOperationException
    {
        final String source = Files.readString(Path.of("src/main/java/org/tallypost/endpoint/NodeContext.java"));
        final String guide = Files.readString(Path.of("../docs/guide/configure.md"));
        int options = 0;
        for (final Method setter : NodeContext.class.getDeclaredMethods())
        {
            if (setter.getReturnType() == NodeContext.class && setter.getParameterCount() == 1 && !setter.isSynthetic())
            {
                options++;
                final Class<?> type = setter.getParameterTypes()[0];
                final String option = setter.getName() + '(' + type.getSimpleName() + ')';
                assertEquals(type, NodeContext.class.getMethod(setter.getName()).getReturnType(), option);
                assertTrue(source.contains("        " + setter.getName() + " = value;\n        return this;\n    }\n\n" +
                    "    /**\n     * As set by {@link #" + option + "}.\n     *\n     * @return "), option);
                assertTrue(guide.contains("\n| `" + option + "` | "), () -> "configure.md has no row for " + option);
            }
        }
        assertTrue(options > 20, "options: " + options);
    }
}
