// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * How much a sender may leave at a receiver that has not asked for it.
 */
package org.tallypost.messaging.internal.window;
