import { AppError } from '#shared/errors/index.ts';

/**
 * The one-time ticket in the address (`#ticket=…`), or null. The fragment is cleared at once, so that neither the
 * history nor a copied address holds it.
 */
export function takeTicket(): string | null {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket !== null) history.replaceState(null, '', location.pathname + location.search);
  return ticket;
}

const key = 'countersign.session';

/** The header that carries the secret; no cookie, because cookies cross ports on 127.0.0.1. */
export const secretHeader = 'x-countersign-secret';

/** The secret of this tab, or null. It survives a reload and dies with the tab. */
export function sessionSecret(): string | null {
  return sessionStorage.getItem(key);
}

export function forgetSecret(): void {
  sessionStorage.removeItem(key);
}

/** Exchanges the ticket of the address, if there is one, for this tab's secret. Fails with `not_signed_in` or `core_unreachable`. */
export async function exchangeTicket(): Promise<void> {
  const ticket = takeTicket();
  if (ticket === null) return;
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
    redirect: 'error',
    cache: 'no-store',
  }).catch((cause: unknown) => {
    throw new AppError('core_unreachable', { cause });
  });
  if (!response.ok) {
    if (sessionSecret() === null) throw new AppError('not_signed_in');
    return;
  }
  const answer = (await response.json()) as { secret: string };
  sessionStorage.setItem(key, answer.secret);
}
