// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The accesses to shared words that a method makes, and its calls of methods that make some, in the order of its source: name
 * and first argument of each. x86-64 does not
 * reorder stores, so no test that runs there can find a release store that became a plain one. Reading the source can.
 */
public final class SharedAccesses
{
    private static final Pattern ACCESS = Pattern.compile(
        "\\b((?:get|put)(?:Long|Int|Byte)(?:Acquire|Release|Volatile|Opaque)?|getAnd(?:Add|Set)(?:Long|Int)|" +
        "compareAndSet(?:Long|Int)?|(?:get|set)(?:Acquire|Release|Volatile|Opaque)|\\w+Fence|" +
        "intend|claimed|settle|finish|clear|closeSlot|stampBehind|wakeForSlot|wakeIfArmed|claimFree|" +
        "withdraw|open|openInLane|defer|refund|returnLane|shut|await)\\((?:null, )?(\\w*)");

    private SharedAccesses()
    {
    }

    /**
     * Reads them. To be called from the directory of the module that has the class, as tests are.
     *
     * @param owner  class that has the method.
     * @param method name of it; several with this name are read one behind the other.
     * @return such as "putLongRelease claimOffset".
     * @throws IOException    if there is no source file.
     * @throws AssertionError if there is no such method.
     */
    public static List<String> of(final Class<?> owner, final String method) throws IOException
    {
        final Path source = Path.of("src/main/java", owner.getName().replace('.', '/') + ".java");
        final Pattern declaration = Pattern.compile("^    (?!return|throw|//| ).*\\b" + method + "\\((?!.*;$).*");
        final List<String> accesses = new ArrayList<>();
        boolean isInside = false;
        boolean isFound = false;
        for (final String line : Files.readAllLines(source))
        {
            if (!isInside)
            {
                isInside = declaration.matcher(line).matches();
                isFound |= isInside;
            }
            else if (line.equals("    }"))
            {
                isInside = false;
            }
            else if (!line.strip().startsWith("//"))
            {
                final Matcher matcher = ACCESS.matcher(line);
                while (matcher.find())
                {
                    accesses.add((matcher.group(1) + " " + matcher.group(2)).strip());
                }
            }
        }
        if (!isFound)
        {
            throw new AssertionError("no method " + method + " in " + source);
        }
        return accesses;
    }
}
