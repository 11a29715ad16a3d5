// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a class keeps and knows: at most {@value #MOST_FIELDS} fields of its own and {@value #MOST_KNOWN} classes of its module.
 * large-classes.txt lists those with more, and how many; a class leaves the list when it has become small enough.
 */
@Tag("once")
class ClassSizesTest
{
    private static final int MOST_FIELDS = 15;
    private static final int MOST_KNOWN = 12;
    private static final String[][] MODULES = {
        {"org.tallypost.mailbox"}, {"org.tallypost.creditprotocol"}, {"org.tallypost.endpoint", "org.tallypost.node"},
        {"org.tallypost.transportaeron"}, {"org.tallypost.messaging"}, {"org.tallypost.collectives"},
        {"org.tallypost.activemessages"}, {"org.tallypost.services"}, {"org.tallypost.deck"},
        {"mpi"}};

    private static Map<String, int[]> listed() throws IOException
    {
        final Map<String, int[]> listed = new TreeMap<>();
        try (var in = ClassSizesTest.class.getResourceAsStream("large-classes.txt"))
        {
            for (final String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"))
            {
                if (!line.startsWith("#"))
                {
                    final String[] parts = line.trim().split(" +");
                    listed.put(parts[0], new int[]{Integer.parseInt(parts[1]), Integer.parseInt(parts[2])});
                }
            }
        }
        return listed;
    }

    private static String outermost(final JavaClass type)
    {
        final String name = type.getBaseComponentType().getName();
        return name.indexOf('$') < 0 ? name : name.substring(0, name.indexOf('$'));
    }

    private static boolean isOf(final String name, final String[] module)
    {
        for (final String root : module)
        {
            if (name.startsWith(root + "."))
            {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldKeepAndKnowLittle() throws IOException
    {
        final Map<String, int[]> listed = listed();
        final List<String> faults = new ArrayList<>();
        int count = 0;
        for (final String[] module : MODULES)
        {
            final Map<String, Set<String>> known = new TreeMap<>();
            final Map<String, Integer> fields = new TreeMap<>();
            for (final JavaClass type : ImportedClasses.of(module))
            {
                final String name = outermost(type);
                final Set<String> all = known.computeIfAbsent(name, (key) -> new TreeSet<>());
                type.getDirectDependenciesFromSelf().stream().map((dependency) -> outermost(dependency.getTargetClass()))
                    .filter((target) -> isOf(target, module) && !target.equals(name)).forEach(all::add);
                if (type.getName().equals(name))
                {
                    fields.put(name, (int)type.getFields().stream()
                        .filter((field) -> !field.getModifiers().contains(JavaModifier.STATIC)).count());
                }
            }
            for (final Map.Entry<String, Integer> entry : fields.entrySet())
            {
                count++;
                check(entry.getKey(), entry.getValue(), known.get(entry.getKey()).size(), listed, faults);
            }
        }
        assertTrue(count > 150, "classes: " + count);
        assertEquals(Map.of(), listed, "there is no such class");
        assertEquals(List.of(), faults);
    }

    private static void check(
        final String name, final int fields, final int known, final Map<String, int[]> listed, final List<String> faults)
    {
        final int[] allowed = listed.remove(name);
        final boolean isSmall = fields <= MOST_FIELDS && known <= MOST_KNOWN;
        if (allowed == null && !isSmall)
        {
            faults.add(name + " is too large: found fields=" + fields + ", classes of its module=" + known +
                ", expected at most " + MOST_FIELDS + " and " + MOST_KNOWN + "; cut it at a joint");
        }
        else if (allowed != null && isSmall)
        {
            faults.add(name + " is small enough: take it out of large-classes.txt");
        }
        else if (allowed != null && (fields > allowed[0] || known > allowed[1]))
        {
            faults.add(name + " has grown: found fields=" + fields + ", classes of its module=" + known + ", expected at most " +
                allowed[0] + " and " + allowed[1]);
        }
    }
}
