// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

/**
 * Reads a node from outside.
 */
@FunctionalInterface
public interface NodeReader
{
    /**
     * Looks at all endpoints that were ever opened.
     *
     * @return what was there.
     */
    NodeSample read();
}
