import type { AuthorizationRequest } from '#core/oauth-server/index.ts';
import type { PostedForm } from './read-form.ts';
import { signInPage } from './sign-in-page.ts';
import type { PageAnswer, StepAnswer, StepTools } from './step.ts';

const wrongPair =
  'That login and password do not go together. Look at what was printed when the service started.';

/** Signs somebody in for this interaction, or shows the page again: 403 for a wrong pair, 429 with `Retry-After` in a pause. */
export function signIn(
  { tenant, accounts, desk, throttle }: StepTools,
  { asked, path, form }: { asked: AuthorizationRequest; path: string; form: PostedForm },
): StepAnswer {
  const typed = form.value('login').trim();
  const login = typed.toLowerCase();
  const again = (status: number, notice: string): PageAnswer => ({
    kind: 'page',
    status,
    markup: signInPage({
      tenant,
      asked,
      path,
      formToken: desk.offer(asked, 'sign-in'),
      login: typed,
      notice,
    }),
  });

  const pauseMs = throttle.pauseMs(login);
  if (pauseMs > 0) {
    const seconds = Math.ceil(pauseMs / 1000);
    const page = again(429, `Too many attempts. Wait ${wait(seconds)}, then try again.`);
    return { ...page, headers: { 'retry-after': String(seconds) } };
  }
  const uid = accounts.check(login, form.value('password'));
  if (uid === null) {
    throttle.failed(login);
    return again(403, wrongPair);
  }
  throttle.succeeded(login);
  desk.setAccount(asked.id, uid);
  return { kind: 'again' };
}

function wait(seconds: number): string {
  if (seconds === 1) return 'a second';
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
