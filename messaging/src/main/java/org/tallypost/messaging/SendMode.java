// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * When a send is done.
 */
public enum SendMode
{
    /** As soon as its buffer may be used again, whether the message is matched or not. */
    STANDARD,
    /** When the message is matched and its buffer may be used again. */
    SYNCHRONOUS
}
