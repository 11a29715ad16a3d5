// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/** What arguments of programs have to be. */
package org.tallypost.messaging.internal.checks;
