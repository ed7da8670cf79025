import { rmSync } from 'node:fs';

/** On Windows antivirus and the indexer hold a file for a moment after it was closed. */
const removal = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 } as const;

/**
 * Removes a file or folder that was for the moment, with everything in it. Never fails: what stays held is left to the system, and the
 * work that it was for has succeeded or failed already.
 */
export function removeTemporary(path: string, remove: typeof rmSync = rmSync): void {
  try {
    remove(path, removal);
  } catch {
    // Left to the system.
  }
}
