// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the table "Waits" of docs/design/verification.md to the code: a method that waits is in it, with its bound. */
@Tag("once")
class WaitsTest
{
    /** What waits, by the name of the method. */
    private static final Map<String, Pattern> WAITS = Map.of(
        "java.lang.Thread", Pattern.compile("yield|onSpinWait|sleep|join"),
        "java.lang.Object", Pattern.compile("wait"),
        "java.util.concurrent.locks.LockSupport", Pattern.compile("park.*"),
        "java.util.concurrent.", Pattern.compile("await.*|timedJoin|timedWait|sleep|take|acquire.*|lock.*|invoke.*|exchange"),
        "java.nio.channels.FileChannel", Pattern.compile("lock"),
        "java.nio.channels.Selector", Pattern.compile("select"),
        "java.lang.Process", Pattern.compile("waitFor"));
    private static final Pattern CODE = Pattern.compile("`([A-Z]\\w+\\.(?:\\w+|<init>))`");

    private static JavaClasses product;

    @BeforeAll
    static void importClasses()
    {
        product = ImportedClasses.of(
            "org.tallypost.mailbox", "org.tallypost.endpoint", "org.tallypost.transportaeron", "mpi");
    }

    private static boolean isWait(final JavaCall<?> call)
    {
        final String owner = call.getTargetOwner().getName();
        final String name = call.getName();
        final boolean isTimedLock = owner.startsWith("java.util.concurrent.locks.") && name.equals("tryLock") &&
            !call.getTarget().getRawParameterTypes().isEmpty();
        final boolean isFuture = name.equals("get") && call.getTargetOwner().isAssignableTo("java.util.concurrent.Future");
        final boolean isThread = call.getTargetOwner().isAssignableTo(Thread.class) &&
            WAITS.get("java.lang.Thread").matcher(name).matches();
        return isTimedLock || isFuture || isThread || WAITS.entrySet().stream().anyMatch((entry) ->
            (entry.getKey().endsWith(".") ? owner.startsWith(entry.getKey()) : owner.equals(entry.getKey())) &&
            entry.getValue().matcher(name).matches());
    }

    private static String name(final JavaClass owner, final String method)
    {
        return owner.getName().substring(owner.getPackageName().length() + 1).replace('$', '.') + "." + method;
    }

    /** What the first column of the table names. */
    private static Set<String> table() throws IOException
    {
        final String text = Files.readString(DocumentsTest.ROOT.resolve("docs/design/verification.md"));
        final String section = text.substring(text.indexOf("\n## Waits\n"), text.indexOf("\n## Hostile bytes\n"));
        final Set<String> names = new TreeSet<>();
        section.lines().filter((line) -> line.startsWith("| `")).forEach((line) ->
        {
            final Matcher matcher = CODE.matcher(line.substring(0, line.indexOf('|', 1)));
            while (matcher.find())
            {
                names.add(matcher.group(1));
            }
        });
        return names;
    }

    @Test
    void shouldNameEveryMethodThatWaitsInTheTable() throws IOException
    {
        final Map<String, String> found = new TreeMap<>();
        for (final JavaClass type : product)
        {
            type.getMethodCallsFromSelf().stream().filter(WaitsTest::isWait).forEach((call) ->
                found.put(name(type, call.getOrigin().getName().replaceAll("lambda\\$(\\w+)\\$\\d+", "$1")),
                call.getTargetOwner().getSimpleName() + "." + call.getName()));
        }
        assertTrue(found.containsKey("ThreadHold.shutAndWait"), "the search for calls is broken: " + found);
        found.keySet().removeAll(table());
        assertEquals(Map.of(), found, "enter these with their bounds in docs/design/verification.md, Waits");
    }

    @Test
    void shouldNameNoMethodThatIsNotThere() throws IOException
    {
        final Set<String> there = product.stream()
            .flatMap((type) -> type.getCodeUnits().stream().map((unit) -> name(type, unit.getName())))
            .collect(Collectors.toSet());
        final Set<String> gone = table();
        gone.removeAll(there);
        assertEquals(Set.of(), gone, "take these out of docs/design/verification.md, Waits");
    }
}
