// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The packages of the product: each knows only those below it, and what is internal to a module is used by nothing outside of
 * it. The test prints the graph, the lowest package first.
 */
@Tag("once")
class PackagesTest
{
    private static final String[] PRODUCT = {
        "org.tallypost.mailbox", "org.tallypost.creditprotocol", "org.tallypost.endpoint", "org.tallypost.node",
        "org.tallypost.transportaeron", "org.tallypost.schedule", "org.tallypost.fabric", "org.tallypost.messaging",
        "org.tallypost.collectives", "org.tallypost.activemessages",
        "org.tallypost.services", "org.tallypost.deck", "mpi"};

    private static JavaClasses all;
    /** For each package those that it knows. */
    private static final Map<String, Set<String>> GRAPH = new TreeMap<>();

    @BeforeAll
    static void importClasses()
    {
        all = ImportedClasses.ALL;
        for (final JavaClass type : all)
        {
            if (isProduct(type.getPackageName()))
            {
                final Set<String> known = GRAPH.computeIfAbsent(type.getPackageName(), (name) -> new TreeSet<>());
                type.getDirectDependenciesFromSelf().stream()
                    .map((dependency) -> dependency.getTargetClass().getBaseComponentType().getPackageName())
                    .filter((name) -> isProduct(name) && !name.equals(type.getPackageName()))
                    .forEach(known::add);
            }
        }
    }

    private static boolean isProduct(final String name)
    {
        for (final String root : PRODUCT)
        {
            if (name.equals(root) || name.startsWith(root + "."))
            {
                return true;
            }
        }
        return false;
    }

    /** Takes out what knows nothing that is left, until nothing more can be taken out: what remains is in a cycle. */
    @Test
    void shouldHaveNoCycle()
    {
        assertTrue(GRAPH.size() >= 28, () -> "packages: " + GRAPH.keySet());
        final Map<String, Set<String>> left = new TreeMap<>(GRAPH);
        final List<String> order = new ArrayList<>();
        boolean isTaken = true;
        while (isTaken)
        {
            final List<String> free = left.entrySet().stream()
                .filter((entry) -> entry.getValue().stream().noneMatch(left::containsKey)).map(Map.Entry::getKey).toList();
            free.forEach(left::remove);
            order.addAll(free);
            isTaken = !free.isEmpty();
        }
        order.forEach((name) -> System.out.println(name + " -> " + GRAPH.get(name)));
        assertEquals(Map.of(), left, "packages in a cycle, or above one");
    }

    @Test
    void shouldUseWhatIsInternalOnlyInItsModule()
    {
        noClasses().that().resideOutsideOfPackages("org.tallypost.endpoint..", "org.tallypost.node..")
            .should().dependOnClassesThat().resideInAPackage("org.tallypost.endpoint.internal..").check(all);
        noClasses().that().resideOutsideOfPackage("org.tallypost.transportaeron..")
            .should().dependOnClassesThat().resideInAPackage("org.tallypost.transportaeron.internal..").check(all);
    }
}
