// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import org.agrona.DirectBuffer;

/** What the JVM has to be told before Agrona can touch memory. Touches none itself. */
public final class JvmFlags
{
    private static final String PACKAGE = "jdk.internal.misc";

    private JvmFlags()
    {
    }

    /**
     * Looks whether the flag is there, on the command line or in a manifest.
     *
     * @throws IllegalStateException that names it, as it has to be where Agrona is: on the class path or on the module path.
     */
    public static void check()
    {
        // the interface is loaded for this, and nothing of Agrona initialised
        final Module agrona = DirectBuffer.class.getModule();
        if (!Object.class.getModule().isExported(PACKAGE, agrona))
        {
            final String to = agrona.isNamed() ? agrona.getName() : "ALL-UNNAMED";
            throw new IllegalStateException("a flag of the JVM is missing: package=" + PACKAGE + ", found closed to " +
                (agrona.isNamed() ? "module " + to : "the class path") +
                ", expected on the command line, before the main class: --add-opens java.base/" + PACKAGE + "=" + to);
        }
    }
}
