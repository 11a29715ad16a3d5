// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

/**
 * What messengers write to one another.
 */
package org.tallypost.messaging.internal.wire;
