// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** Something that gets done by calling this again and again. */
interface Progress
{
    /** Does what can be done now. 0 or more if it is done, {@link Team#IN_PROGRESS}, or another negative number. */
    long progress();
}
