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

/** What an option means is said once, at its setter, and the guide has a row for each. */
class NodeSettingsTest
{
    @Test
    void shouldSayOnceWhatAnOptionMeans() throws IOException, ReflectiveOperationException
    {
        final String getters = Files.readString(Path.of("src/main/java/org/tallypost/endpoint/NodeSettings.java"));
        final String guide = Files.readString(Path.of("../docs/guide/configure.md"));
        int options = 0;
        for (final Method setter : Node.Context.class.getDeclaredMethods())
        {
            if (setter.getReturnType() == Node.Context.class && setter.getParameterCount() == 1 && !setter.isSynthetic())
            {
                options++;
                final Class<?> type = setter.getParameterTypes()[0];
                final String option = setter.getName() + '(' + type.getSimpleName() + ')';
                assertEquals(type, NodeSettings.class.getMethod(setter.getName()).getReturnType(), option);
                assertTrue(getters.contains(
                    "    /**\n     * As set by {@link Node.Context#" + option + "}.\n     *\n     * @return "), option);
                assertTrue(guide.contains("\n| `" + option + "` | "), () -> "configure.md has no row for " + option);
            }
        }
        assertTrue(options > 20, "options: " + options);
    }
}
