import { AppError } from '#shared/errors/index.ts';

/** Takes the one-time ticket out of the address (`#ticket=…`), so that no history or copied address contains it. */
export function takeTicket(): string | null {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket !== null) history.replaceState(null, '', location.pathname + location.search);
  return ticket;
}

const key = 'countersign.session';

/** No cookie, because cookies cross ports on 127.0.0.1. */
export const secretHeader = 'x-countersign-secret';

/** Survives a reload and ends with the tab. */
export function sessionSecret(): string | null {
  return sessionStorage.getItem(key);
}

export function forgetSecret(): void {
  sessionStorage.removeItem(key);
}

/** Fails with `not_signed_in` or `core_unreachable`. */
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
