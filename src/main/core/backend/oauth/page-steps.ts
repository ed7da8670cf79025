import type { AuthorizationRequest, InteractionExchange } from '#core/oauth-server/index.ts';
import type { Markup } from '#core/platform/browser-page.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Tenant } from '../tenants.ts';
import type { SignInAccounts, SignInThrottle } from './sign-in-accounts.ts';
import type { OpenInteractions, FormPage } from './open-interactions.ts';
import { consentPage } from './consent-page.ts';
import { type PostedForm, readForm } from './page-http.ts';
import { signInPage } from './pages.ts';
import { scopeWords, shownScopes } from './scopes.ts';

/** A page that a step answers with. */
interface PageAnswer {
  kind: 'page';
  status: number;
  markup: Markup;
  headers?: Record<string, string>;
}

/** Result of a step: a page, a redirect to the page of the interaction, or its end. */
type StepAnswer = PageAnswer | { kind: 'again' } | { kind: 'finished' };

/** The parts that the steps of one service share. */
interface StepTools {
  tenant: Tenant;
  accounts: SignInAccounts;
  interactions: OpenInteractions;
  throttle: SignInThrottle;
}

/** A request that the browser may send below the path of an interaction. */
interface Step {
  methods: readonly string[];
  run(asked: AuthorizationRequest, exchange: InteractionExchange): StepAnswer | Promise<StepAnswer>;
}

/** Every step by its subpath. */
export function createSteps(tools: StepTools): ReadonlyMap<string, Step> {
  const { interactions } = tools;
  const steps: Record<string, Step> = {
    '': {
      methods: ['GET'],
      run: (asked, { path }) => questionPage(tools, { asked, path }),
    },
    '/sign-in': posted(interactions, 'sign-in', ['login', 'password'], (asked, { path }, form) =>
      signIn(tools, { asked, path, form }),
    ),
    '/cancel': posted(interactions, 'sign-in', [], async (asked, exchange) => {
      interactions.forget(asked.id);
      await exchange.finish({ kind: 'denied' });
      return { kind: 'finished' };
    }),
    '/another-account': posted(interactions, 'consent', [], (asked) => {
      interactions.setAccount(asked.id, null);
      return { kind: 'again' };
    }),
    '/decide': posted(interactions, 'consent', ['decision'], (asked, exchange, form) =>
      decide(tools, { asked, exchange, form }),
    ),
  };
  return new Map(Object.entries(steps));
}

/** The consent page for who signed in, and the sign-in page for who did not. */
function questionPage(
  { tenant, accounts, interactions }: StepTools,
  { asked, path }: { asked: AuthorizationRequest; path: string },
): StepAnswer {
  const uid = interactions.accountOf(asked.id);
  const member = uid === null ? null : accounts.member(uid);
  const markup =
    member === null
      ? signInPage({
          tenant,
          asked,
          path,
          formToken: interactions.offer(asked, 'sign-in'),
          login: '',
          notice: null,
        })
      : consentPage({ tenant, asked, member, path, formToken: interactions.offer(asked, 'consent') });
  return { kind: 'page', status: 200, markup };
}

/** A step that takes a form of one page, with that page's latest token. */
function posted(
  interactions: OpenInteractions,
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
      if (!interactions.take(asked.id, page, form.value('form_token'))) throw new AppError('form_outdated');
      return run(asked, exchange, form);
    },
  };
}

const wrongPair = 'That login and password do not match. Check what was printed when the service started.';

/**
 * Signs an account in for this interaction, or shows the page again: 403 for a wrong pair, 429 with `Retry-After` in
 * a pause.
 */
function signIn(
  { tenant, accounts, interactions, throttle }: StepTools,
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
      formToken: interactions.offer(asked, 'sign-in'),
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
  interactions.setAccount(asked.id, uid);
  return { kind: 'again' };
}

function wait(seconds: number): string {
  if (seconds === 1) return 'a second';
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** Ends the interaction with what the person answered. Whatever is not a plain Allow is no permission. */
async function decide(
  { accounts, interactions }: StepTools,
  { asked, exchange, form }: { asked: AuthorizationRequest; exchange: InteractionExchange; form: PostedForm },
): Promise<StepAnswer> {
  const uid = interactions.accountOf(asked.id);
  if (uid === null || accounts.member(uid) === null) return { kind: 'again' };
  const decision = form.value('decision');
  if (decision !== 'allow' && decision !== 'deny') throw new AppError('bad_request');
  const scopes = decision === 'allow' ? grantedScopes(asked, form.values('scope')) : [];

  interactions.forget(asked.id);
  const isAllowed = scopes.length > 0;
  await exchange.finish(isAllowed ? { kind: 'granted', subject: String(uid), scopes } : { kind: 'denied' });
  return { kind: 'finished' };
}

/** The requested scopes that are ticked, with those that are always granted. Fails with `bad_request` for anything that was not asked. */
function grantedScopes(asked: AuthorizationRequest, ticked: readonly string[]): string[] {
  const shown = shownScopes(asked.scopes);
  if (ticked.some((scope) => !shown.some((one) => one === scope))) throw new AppError('bad_request');
  const granted = shown.filter((scope) => scopeWords[scope].isAlways || ticked.includes(scope));
  const isUploadAlone = shown.includes('svc:write') && !granted.includes('svc:write');
  return granted.filter((scope) => scope !== 'svc:upload' || !isUploadAlone);
}
