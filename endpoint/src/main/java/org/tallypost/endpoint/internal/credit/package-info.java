// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Credits that go to senders and come back from them by words of shared memory. Not for programs.
 */
package org.tallypost.endpoint.internal.credit;
