import type { StoredProposal } from '#core/store/app/index.ts';
import { runs } from '#shared/campaign/index.ts';
import { AppError, type FieldError } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';
import { approvalEndOf } from './tool-call/base.ts';

/** The advertiser owner that a read names (contract §2.2, §2.4), as text; null where it names none. */
export function accountOf(uid: JsonValue | undefined): string | null {
  return typeof uid === 'number' && Number.isSafeInteger(uid) ? String(uid) : null;
}

/** The one owner of all these rows. Fails with `service_answer_unreadable` where there are several: a member has one account. */
export function accountOfRows(rows: readonly { uid: number }[]): string | null {
  const accounts = new Set(rows.map(({ uid }) => accountOf(uid)));
  if (accounts.size > 1) {
    throw new AppError('service_answer_unreadable', {
      message: 'The service gave campaigns of more than one account.',
    });
  }
  return [...accounts][0] ?? null;
}

/** Passes when the campaign still belongs to the account that the change was made for. Fails with `account_changed`. */
export function assertSameAccount({ profile }: Pick<StoredProposal, 'profile'>, now: string | null): void {
  if (now !== null && now !== profile.account) throw new AppError('account_changed');
}

/** Passes while the service's approval of what it prepared leaves time to send it. Fails with `approval_ended`. */
export function assertApprovalLives(proposal: StoredProposal, nowMs: number): void {
  if (hasApprovalEnded(proposal, nowMs)) throw new AppError('approval_ended');
}

/** True for a change that the service would not take any more, unless it is prepared again. */
export function hasApprovalEnded(proposal: StoredProposal, nowMs: number): boolean {
  const endsAtMs = approvalEndOf(proposal);
  return endsAtMs !== null && nowMs >= endsAtMs;
}

const field = 'status';
const pending = 0;

/**
 * Returns the refusal of a status change that no member may make (contract §3), before any request: no member sets
 * Pending, and only the service approves pending campaigns. Null if the member may try.
 */
export function memberStatusError(from: JsonValue | undefined, to: JsonValue | undefined): FieldError | null {
  if (from === to) return null;
  if (to === pending) {
    return { field, code: 'not_allowed', message: 'Members cannot set a campaign to Pending.' };
  }
  if (from === pending && runs(to)) {
    return {
      field,
      code: 'not_allowed',
      message: 'A pending campaign is approved by the service, not by its owner.',
    };
  }
  return null;
}
