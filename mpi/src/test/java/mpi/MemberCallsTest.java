// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mpi.programs.Checks;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Each member of both dialects is called by a program of the tests: its class files name it. Members of Open MPI's dialect are
 * named by the class in the list, those of mpiJava's by a subclass too.
 */
class MemberCallsTest
{
    /** The compiler puts numbers in the place of such fields: the programs' sources name them. */
    private static final Path SOURCES = Path.of("src/test/java/mpi/programs");
    /** MpiJavaMembers calls these by handles: source code cannot name their types. */
    private static final Set<String> BY_HANDLE =
        Set.of("Intracomm: Object clone()", "MPI: static Comm COMM_SELF", "MPI: static Comm COMM_NULL");

    private static Set<String> called;
    private static String text;

    @BeforeAll
    static void readPrograms() throws IOException, URISyntaxException
    {
        called = new HashSet<>();
        final Path classes = Path.of(Checks.class.getResource("Checks.class").toURI()).getParent();
        for (final Path file : files(classes, ".class"))
        {
            read(file);
        }
        final StringBuilder all = new StringBuilder();
        for (final Path file : files(SOURCES, ".java"))
        {
            all.append(Files.readString(file));
        }
        text = all.toString();
    }

    private static List<Path> files(final Path directory, final String ending) throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter((file) -> file.toString().endsWith(ending)).collect(Collectors.toList());
        }
    }

    /** Takes the members of this package that a class file names. */
    private static void read(final Path file) throws IOException
    {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file)))
        {
            in.skipNBytes(8);
            final int count = in.readUnsignedShort();
            final String[] words = new String[count];
            final int[][] pairs = new int[count][];
            for (int i = 1; i < count; i++)
            {
                i += readConstant(in, i, words, pairs);
            }
            for (final int[] each : pairs)
            {
                if (each != null && each[0] != 12)
                {
                    final int[] member = pairs[each[2]];
                    add(words[pairs[each[1]][1]], words[member[1]], words[member[2]]);
                }
            }
        }
    }

    /** Returns how many places it takes beyond one. */
    private static int readConstant(final DataInputStream in, final int at, final String[] words, final int[][] pairs)
        throws IOException
    {
        final int kind = in.readUnsignedByte();
        switch (kind)
        {
            case 1:
                words[at] = in.readUTF();
                return 0;
            case 7:
                pairs[at] = new int[]{ 12, in.readUnsignedShort(), 0 };
                return 0;
            case 9:
            case 10:
            case 11:
            case 12:
                pairs[at] = new int[]{ kind, in.readUnsignedShort(), in.readUnsignedShort() };
                return 0;
            case 5:
            case 6:
                in.skipNBytes(8);
                return 1;
            case 15:
                in.skipNBytes(3);
                return 0;
            default:
                in.skipNBytes(kind == 8 || kind == 16 || kind == 19 || kind == 20 ? 2 : 4);
                return 0;
        }
    }

    private static void add(final String owner, final String name, final String descriptor)
    {
        if (!owner.startsWith("mpi/") || owner.startsWith("mpi/programs/"))
        {
            return;
        }
        final String type = owner.substring("mpi/".length());
        final boolean isField = descriptor.charAt(0) != '(';
        final MethodType signature = MethodType.fromMethodDescriptorString(
            isField ? "()" + descriptor : descriptor, MemberCallsTest.class.getClassLoader());
        final String parameters = signature.parameterList().stream().map(MembersTest::name)
            .collect(Collectors.joining(", ", "(", ")"));
        final String result = MembersTest.name(signature.returnType()) + " " + name;
        called.add(type + ": " + (isField ? result : name.equals("<init>") ? type + parameters : result + parameters));
    }

    private static boolean isCalled(final String line, final boolean isBySubclass)
    {
        final String[] parts = line.replace("static ", "").split(": ", 2);
        final String name = parts[1].substring(parts[1].lastIndexOf(' ') + 1);
        return called.contains(parts[0] + ": " + parts[1]) || BY_HANDLE.contains(line) ||
            parts[1].startsWith("int ") && parts[1].indexOf('(') < 0 && text.contains(parts[0] + "." + name) ||
            isBySubclass && called.stream().anyMatch((each) -> each.endsWith(": " + parts[1]) && isSubclass(each, parts[0]));
    }

    private static boolean isSubclass(final String line, final String of)
    {
        try
        {
            return Class.forName("mpi." + of).isAssignableFrom(Class.forName("mpi." + line.substring(0, line.indexOf(':'))));
        }
        catch (final ClassNotFoundException ex)
        {
            return false;
        }
    }

    private static List<String> notCalled(final String name, final boolean isBySubclass) throws IOException
    {
        return MembersTest.lines(name).stream().filter((line) -> !isCalled(line, isBySubclass)).collect(Collectors.toList());
    }

    @Test
    void shouldCallTheMembersOfOpenMpi() throws IOException
    {
        assertEquals(List.of(), notCalled("open-mpi-members.txt", false));
    }

    @Test
    void shouldCallTheMembersOfMpiJava() throws IOException
    {
        assertEquals(List.of(), notCalled("mpijava-members.txt", true));
    }

    @Test
    void shouldFindWhatIsNotCalled()
    {
        assertTrue(isCalled("Intracomm: void barrier()", false));
        assertTrue(isCalled("Comm: boolean Test_inter()", true));
        assertFalse(isCalled("Comm: boolean Test_inter()", false));
        for (final String line : List.of("Intracomm: int barrier()", "MPI: static int ANY_RANK", "Win: int getRank()"))
        {
            assertFalse(isCalled(line, true), line);
        }
    }
}
