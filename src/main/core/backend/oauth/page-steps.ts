import type { AuthorizationRequest, InteractionExchange } from '#core/oauth-server/index.ts';
import type { Markup } from '#core/platform/html.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Tenant } from '../tenants.ts';
import type { SignInAccounts, SignInThrottle } from './sign-in-accounts.ts';
import type { InteractionDesk, FormPage } from './open-interactions.ts';
import { consentPage } from './consent-page.ts';
import { readForm } from './page-http.ts';
import type { PostedForm } from './page-http.ts';
import { signInPage } from './pages.ts';
import { scopeWords, shownScopes } from './scopes.ts';

/** A page that a step answers with. */
interface PageAnswer {
  kind: 'page';
  status: number;
  markup: Markup;
  headers?: Record<string, string>;
}

/** How a step answers: with a page, by sending the browser to the page of the interaction, or by having finished. */
type StepAnswer = PageAnswer | { kind: 'again' } | { kind: 'finished' };

/** What the steps of one service share. */
interface StepTools {
  tenant: Tenant;
  accounts: SignInAccounts;
  desk: InteractionDesk;
  throttle: SignInThrottle;
}

/** What the browser may do below the path of an interaction. */
interface Step {
  methods: readonly string[];
  run(asked: AuthorizationRequest, exchange: InteractionExchange): StepAnswer | Promise<StepAnswer>;
}

/** Every step by its subpath. */
export function createSteps(tools: StepTools): ReadonlyMap<string, Step> {
  const { desk } = tools;
  const steps: Record<string, Step> = {
    '': {
      methods: ['GET'],
      run: (asked, { path }) => questionPage(tools, { asked, path }),
    },
    '/sign-in': posted(desk, 'sign-in', ['login', 'password'], (asked, { path }, form) =>
      signIn(tools, { asked, path, form }),
    ),
    '/cancel': posted(desk, 'sign-in', [], async (asked, exchange) => {
      desk.forget(asked.id);
      await exchange.finish({ kind: 'denied' });
      return { kind: 'finished' };
    }),
    '/another-account': posted(desk, 'consent', [], (asked) => {
      desk.setAccount(asked.id, null);
      return { kind: 'again' };
    }),
    '/decide': posted(desk, 'consent', ['decision'], (asked, exchange, form) =>
      decide(tools, { asked, exchange, form }),
    ),
  };
  return new Map(Object.entries(steps));
}

/** The consent page for who signed in, and the sign-in page for who did not. */
function questionPage(
  { tenant, accounts, desk }: StepTools,
  { asked, path }: { asked: AuthorizationRequest; path: string },
): StepAnswer {
  const uid = desk.accountOf(asked.id);
  const member = uid === null ? null : accounts.member(uid);
  const markup =
    member === null
      ? signInPage({ tenant, asked, path, formToken: desk.offer(asked, 'sign-in'), login: '', notice: null })
      : consentPage({ tenant, asked, member, path, formToken: desk.offer(asked, 'consent') });
  return { kind: 'page', status: 200, markup };
}

/** A step that takes a form of one page, with that page's latest token. */
function posted(
  desk: InteractionDesk,
  page: FormPage,
  fields: readonly string[],
  run: (
    asked: AuthorizationRequest,
    exchange: InteractionExchange,
    form: PostedForm,
  ) => StepAnswer | Promise<StepAnswer>,
): Step {
  return {
    methods: ['POST'],
    async run(asked, exchange) {
      const form = await readForm(exchange.request, {
        once: ['form_token', ...fields],
        repeatable: page === 'consent' ? ['scope'] : [],
      });
      if (!desk.take(asked.id, page, form.value('form_token'))) throw new AppError('form_outdated');
      return run(asked, exchange, form);
    },
  };
}

const wrongPair =
  'That login and password do not go together. Look at what was printed when the service started.';

/** Signs somebody in for this interaction, or shows the page again: 403 for a wrong pair, 429 with `Retry-After` in a pause. */
function signIn(
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

/** Ends the interaction with what the person answered. Whatever is not a plain Allow is no permission. */
async function decide(
  { accounts, desk }: StepTools,
  { asked, exchange, form }: { asked: AuthorizationRequest; exchange: InteractionExchange; form: PostedForm },
): Promise<StepAnswer> {
  const uid = desk.accountOf(asked.id);
  if (uid === null || accounts.member(uid) === null) return { kind: 'again' };
  const decision = form.value('decision');
  if (decision !== 'allow' && decision !== 'deny') throw new AppError('bad_request');
  const scopes = decision === 'allow' ? grantedScopes(asked, form.values('scope')) : [];

  desk.forget(asked.id);
  const isAllowed = scopes.length > 0;
  await exchange.finish(isAllowed ? { kind: 'granted', subject: String(uid), scopes } : { kind: 'denied' });
  return { kind: 'finished' };
}

/** What was asked for and is ticked, with what is always part of it. Fails with `bad_request` for anything that was not asked. */
function grantedScopes(asked: AuthorizationRequest, ticked: readonly string[]): string[] {
  const shown = shownScopes(asked.scopes);
  if (ticked.some((scope) => !shown.some((one) => one === scope))) throw new AppError('bad_request');
  const granted = shown.filter((scope) => scopeWords[scope].isAlways || ticked.includes(scope));
  const isUploadAlone = shown.includes('svc:write') && !granted.includes('svc:write');
  return granted.filter((scope) => scope !== 'svc:upload' || !isUploadAlone);
}
