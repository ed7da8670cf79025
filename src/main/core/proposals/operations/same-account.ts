import type { StoredProposal } from '#core/store/app/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonValue } from '#shared/lib/json/json-value.ts';

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
