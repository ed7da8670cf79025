import type { ErrorCode } from '#shared/errors/index.ts';
import type { SessionState } from './session-store.ts';

/** What a person does on the page of the profile where reading again cannot help, as the words of a button. */
const steps: Partial<Record<ErrorCode, string>> = {
  credential_missing: 'Add member token',
  unauthenticated: 'Replace member token',
  secret_unreadable: 'Add it again',
  sign_in_needed: 'Sign in again',
  token_invalid: 'Sign in again',
  scope_missing: 'Sign in again',
  account_changed: 'Check the account',
  wrong_host: 'Check the addresses',
  discovery_failed: 'Check the addresses',
};

/**
 * The step that ends a failure, or null where reading again may. Without a failure it follows from the state of the
 * service: rows of earlier reads stand in. The Demo profile has nothing to set up.
 */
export function profileStep(
  { session, status }: Pick<SessionState, 'session' | 'status'>,
  code: ErrorCode | null,
): string | null {
  if (session?.profile.kind !== 'live') return null;
  if (code !== null) return steps[code] ?? null;
  return status?.service.state === 'signed-out' ? 'Check member token' : null;
}
