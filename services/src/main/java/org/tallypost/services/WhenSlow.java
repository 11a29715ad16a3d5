// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** What becomes of a subscriber that is a whole log behind the publisher of its topic. */
public enum WhenSlow
{
    /** It is waited for: {@link Publication#offer} refuses messages until the subscriber has read. It loses nothing. */
    WAIT,
    /** It loses messages, and is told how many: {@link TopicListener#onLost}. The publisher never waits. */
    TELL,
    /** Its subscription ends: {@link TopicEnd#DROPPED}. The publisher never waits. */
    DROP
}
