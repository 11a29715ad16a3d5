// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Members that programs of both dialects call are there, with the types that their class files name. */
class MembersTest
{
    static List<String> lines(final String name) throws IOException
    {
        try (InputStream in = MembersTest.class.getResourceAsStream(name))
        {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter((line) -> !line.startsWith("#")).collect(Collectors.toList());
        }
    }

    private static boolean isThere(final String line)
    {
        final String[] parts = line.split(": ", 2);
        final boolean isStatic = parts[1].startsWith("static ");
        final String signature = isStatic ? parts[1].substring("static ".length()) : parts[1];
        try
        {
            final Class<?> type = Class.forName("mpi." + parts[0]);
            return signature.indexOf('(') < 0 ? hasField(type, signature, isStatic) :
                signature.indexOf(' ') < 0 || signature.indexOf(' ') > signature.indexOf('(') ? hasConstructor(type, signature) :
                hasMethod(type, signature, isStatic);
        }
        catch (final ClassNotFoundException ex)
        {
            return false;
        }
    }

    private static boolean hasField(final Class<?> type, final String signature, final boolean isStatic)
    {
        return Arrays.stream(type.getFields()).anyMatch((field) -> isStatic == Modifier.isStatic(field.getModifiers()) &&
            signature.equals(name(field.getType()) + " " + field.getName()));
    }

    private static boolean hasConstructor(final Class<?> type, final String signature)
    {
        return Arrays.stream(type.getConstructors()).anyMatch((each) ->
            signature.equals(type.getSimpleName() + parameters(each)));
    }

    private static boolean hasMethod(final Class<?> type, final String signature, final boolean isStatic)
    {
        return Arrays.stream(type.getMethods()).anyMatch((method) -> isStatic == Modifier.isStatic(method.getModifiers()) &&
            signature.equals(name(method.getReturnType()) + " " + method.getName() + parameters(method)));
    }

    private static String parameters(final Executable of)
    {
        return Arrays.stream(of.getParameterTypes()).map(MembersTest::name).collect(Collectors.joining(", ", "(", ")"));
    }

    /** As a class file names it, without the package. */
    static String name(final Class<?> type)
    {
        if (type.isArray())
        {
            return name(type.getComponentType()) + "[]";
        }
        return type.getName().substring(type.getName().lastIndexOf('.') + 1);
    }

    private static List<String> missing(final String name) throws IOException
    {
        return lines(name).stream().filter((line) -> !isThere(line)).collect(Collectors.toList());
    }

    @Test
    void shouldHaveTheMembersOfOpenMpi() throws IOException
    {
        assertTrue(lines("open-mpi-members.txt").size() >= 225);
        assertEquals(List.of(), missing("open-mpi-members.txt"));
    }

    @Test
    void shouldHaveTheMembersOfMpiJava() throws IOException
    {
        assertTrue(lines("mpijava-members.txt").size() >= 120);
        assertEquals(List.of(), missing("mpijava-members.txt"));
    }

    @Test
    void shouldMissWhatIsNotThere()
    {
        assertTrue(isThere("Status: int getSource()"));
        for (final String line : List.of("Status: long getSource()", "Status: static int getSource()",
            "Status: int getSource(int)", "Op: Op(Object, boolean)", "MPI: int ANY_SOURCE", "NoClass: int size()"))
        {
            assertFalse(isThere(line), line);
        }
    }
}
