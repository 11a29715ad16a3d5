// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/**
 * Kinds of flow control.
 */
public enum Flow
{
    /** None: a process that has something to send sends it. */
    NONE,
    /** Fixed quotas. */
    STATIC,
    /** Quotas that follow activity. */
    DYNAMIC
}
