// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
/**
 * Mapped files: made whole or not at all, checked before they are used, and the errors that name them.
 */
package org.tallypost.mailbox.files;
