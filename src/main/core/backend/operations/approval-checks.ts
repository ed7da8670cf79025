import type { Attempt } from './checks/attempt.ts';
import { rejectChanged } from './checks/unchanged.ts';
import { rejectExpired } from './checks/unexpired.ts';
import { rejectForbidden } from './checks/permitted.ts';
import { rejectMoved } from './checks/unmoved.ts';
import { rejectUsed } from './checks/unused.ts';

/** What a commit must pass once its approval is found, in this order. */
export const approvalChecks: readonly ((attempt: Attempt) => void)[] = [
  rejectExpired,
  rejectUsed,
  rejectChanged,
  rejectForbidden,
  rejectMoved,
];
