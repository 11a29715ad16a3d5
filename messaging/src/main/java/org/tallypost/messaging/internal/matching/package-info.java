// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Posted receives and messages that nobody has asked for yet: matching by context, source and tag. One thread.
 */
package org.tallypost.messaging.internal.matching;
