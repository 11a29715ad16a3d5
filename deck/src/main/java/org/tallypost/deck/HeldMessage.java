// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import org.tallypost.messaging.MatchedMessage;

/** A message that has come, and waits in the messenger until its mail box has a free buffer. */
final class HeldMessage
{
    final MatchedMessage matched = new MatchedMessage();
    int sizeClass;
    /** Of the process that it came from: its rank may have been opened anew before there is a buffer. */
    MailBox.Account account;
}
