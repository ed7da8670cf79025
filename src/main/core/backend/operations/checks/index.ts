import type { Attempt } from './attempt.ts';
import { rejectChanged } from './unchanged.ts';
import { rejectExpired } from './unexpired.ts';
import { rejectForbidden } from './permitted.ts';
import { rejectMoved } from './unmoved.ts';
import { rejectUsed } from './unused.ts';

/** What a commit must pass once its approval is found, in this order. */
export const approvalChecks: readonly ((attempt: Attempt) => void)[] = [
  rejectExpired,
  rejectUsed,
  rejectChanged,
  rejectForbidden,
  rejectMoved,
];
