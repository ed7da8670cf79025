import type {
  AuthorizationRequest,
  InteractionExchange,
  InteractionStrategy,
} from '#core/oauth-server/index.ts';
import type { Markup } from '#core/platform/browser-page.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Tenant, BackendService } from '../service.ts';
import {
  type SignInAccounts,
  type SignInThrottle,
  createSignInAccounts,
  createSignInThrottle,
  scopeTexts,
  shownScopes,
} from './sign-in-accounts.ts';
import { consentPage, signInPage, messagePage } from './pages.ts';
import { type PostedForm, readForm, pageHeaders, sendPage, describeRedirect } from './layout.ts';
import type { Clock } from '#core/platform/clock.ts';
import type { Ids } from '#core/platform/ids.ts';
import { isSameSecret } from '#core/platform/credentials.ts';

interface PageAnswer {
  kind: 'page';
  status: number;
  markup: Markup;
  headers?: Record<string, string>;
}

type StepAnswer = PageAnswer | { kind: 'again' } | { kind: 'finished' };

interface StepTools {
  tenant: Tenant;
  accounts: SignInAccounts;
  interactions: OpenInteractions;
  throttle: SignInThrottle;
}

interface PageStep {
  methods: readonly string[];
  run(asked: AuthorizationRequest, exchange: InteractionExchange): StepAnswer | Promise<StepAnswer>;
}

function createSteps(tools: StepTools): ReadonlyMap<string, PageStep> {
  const { interactions } = tools;
  const steps: Record<string, PageStep> = {
    '': {
      methods: ['GET'],
      run: (asked, { path }) => currentPage(tools, { asked, path }),
    },
    '/sign-in': postStep(interactions, 'sign-in', ['login', 'password'], (asked, { path }, form) =>
      signIn(tools, { asked, path, form }),
    ),
    '/cancel': postStep(interactions, 'sign-in', [], async (asked, exchange) => {
      interactions.forget(asked.id);
      await exchange.finish({ kind: 'denied' });
      return { kind: 'finished' };
    }),
    '/another-account': postStep(interactions, 'consent', [], (asked) => {
      interactions.setAccount(asked.id, null);
      return { kind: 'again' };
    }),
    '/decide': postStep(interactions, 'consent', ['decision'], (asked, exchange, form) =>
      decide(tools, { asked, exchange, form }),
    ),
  };
  return new Map(Object.entries(steps));
}

function currentPage(
  { tenant, accounts, interactions }: StepTools,
  { asked, path }: { asked: AuthorizationRequest; path: string },
): StepAnswer {
  const uid = interactions.accountOf(asked.id);
  const member = uid === null ? null : accounts.member(uid);
  const formToken = interactions.issueToken(asked, member === null ? 'sign-in' : 'consent');
  const view = { tenant, asked, path, formToken };
  const markup =
    member === null ? signInPage({ ...view, login: '', notice: null }) : consentPage({ ...view, member });
  return { kind: 'page', status: 200, markup };
}

function postStep(
  interactions: OpenInteractions,
  page: FormPage,
  fields: readonly string[],
  run: (
    asked: AuthorizationRequest,
    exchange: InteractionExchange,
    form: PostedForm,
  ) => StepAnswer | Promise<StepAnswer>,
): PageStep {
  return {
    methods: ['POST'],
    async run(asked, exchange) {
      const form = await readForm(exchange.request, {
        once: ['form_token', ...fields],
        repeatable: page === 'consent' ? ['scope'] : [],
      });
      if (!interactions.consumeToken(asked.id, page, form.value('form_token')))
        throw new AppError('form_outdated');
      return run(asked, exchange, form);
    },
  };
}

const wrongLoginNotice =
  'That login and password do not match. Check what was printed when the service started.';

function signIn(
  { tenant, accounts, interactions, throttle }: StepTools,
  { asked, path, form }: { asked: AuthorizationRequest; path: string; form: PostedForm },
): StepAnswer {
  const typed = form.value('login').trim();
  const login = typed.toLowerCase();
  const retryPage = (status: number, notice: string): PageAnswer => {
    const formToken = interactions.issueToken(asked, 'sign-in');
    const markup = signInPage({ tenant, asked, path, formToken, login: typed, notice });
    return { kind: 'page', status, markup };
  };

  const pauseMs = throttle.pauseMs(login);
  if (pauseMs > 0) {
    const seconds = Math.ceil(pauseMs / 1000);
    const page = retryPage(429, `Too many attempts. Wait ${waitText(seconds)}, then try again.`);
    return { ...page, headers: { 'retry-after': String(seconds) } };
  }
  const uid = accounts.check(login, form.value('password'));
  if (uid === null) {
    throttle.recordFailure(login);
    return retryPage(403, wrongLoginNotice);
  }
  throttle.recordSuccess(login);
  interactions.setAccount(asked.id, uid);
  return { kind: 'again' };
}

function waitText(seconds: number): string {
  if (seconds === 1) return 'a second';
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

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

function grantedScopes(asked: AuthorizationRequest, ticked: readonly string[]): string[] {
  const shown = shownScopes(asked.scopes);
  if (ticked.some((scope) => !shown.some((one) => one === scope))) throw new AppError('bad_request');
  const granted = shown.filter((scope) => scopeTexts[scope].isRequired || ticked.includes(scope));
  const isUploadAlone = shown.includes('svc:write') && !granted.includes('svc:write');
  return granted.filter((scope) => scope !== 'svc:upload' || !isUploadAlone);
}

export function createPageInteractions(service: BackendService, password: string): InteractionStrategy {
  const { tenant, clock, ids } = service;
  const steps = createSteps({
    tenant,
    accounts: createSignInAccounts(service, password),
    interactions: createOpenInteractions({ clock, ids }),
    throttle: createSignInThrottle(clock),
  });

  async function answer(asked: AuthorizationRequest, exchange: InteractionExchange): Promise<void> {
    const { request, response, path, subpath } = exchange;
    const step = steps.get(subpath);
    if (step === undefined) throw new AppError('not_found');
    if (!step.methods.includes(request.method ?? '')) {
      response.setHeader('allow', step.methods.join(', '));
      throw new AppError('method_not_allowed');
    }
    const answered = await step.run(asked, exchange);
    if (answered.kind === 'finished') return;
    if (answered.kind === 'again') {
      response.writeHead(303, { location: path, 'cache-control': 'no-store' }).end();
      return;
    }
    sendPage(response, { ...answered, leadsTo: describeRedirect(asked.redirectUri).policySource });
  }

  return {
    refusalPage({ error, description }) {
      const next = `${description} You can close this page and connect again from your program.`;
      const { text } = messagePage({ tenant, title: 'Not connected', next, word: error });
      return { body: text, headers: pageHeaders(null) };
    },
    async handle(asked, exchange) {
      try {
        await answer(asked, exchange);
      } catch (failure) {
        if (!(failure instanceof AppError) || failure.status >= 500 || exchange.response.headersSent)
          throw failure;
        const again = { path: exchange.path, label: 'Back to the question' };
        const markup = messagePage({ tenant, title: failure.message, next: failure.next, again });
        sendPage(exchange.response, { status: failure.status, markup });
      }
    },
  };
}

type FormPage = 'sign-in' | 'consent';

interface InteractionEntry {
  uid: number | null;
  expiresAtMs: number;
  offered: { page: FormPage; token: string } | null;
}

const maxEntries = 500;

type OpenInteractions = ReturnType<typeof createOpenInteractions>;

/** Keeps interactions in memory only: people sign in again after a restart. */
function createOpenInteractions({ clock, ids }: { clock: Clock; ids: Ids }) {
  const entries = new Map<string, InteractionEntry>();
  const evictEntries = (): void => {
    for (const [id, { expiresAtMs }] of entries) if (expiresAtMs <= clock.nowMs()) entries.delete(id);
    const [oldest] = entries.keys();
    if (entries.size >= maxEntries && oldest !== undefined) entries.delete(oldest);
  };
  return {
    accountOf: (id: string): number | null => entries.get(id)?.uid ?? null,
    setAccount(id: string, uid: number | null): void {
      const entry = entries.get(id);
      if (entry !== undefined) entry.uid = uid;
    },
    /** Issues a form token. Only the latest page can decide: earlier tokens become invalid. */
    issueToken({ id, expiresAtMs }: { id: string; expiresAtMs: number }, page: FormPage): string {
      const token = ids.secret();
      const known = entries.get(id);
      if (known === undefined) evictEntries();
      entries.set(id, { uid: known?.uid ?? null, expiresAtMs, offered: { page, token } });
      return token;
    },
    consumeToken(id: string, page: FormPage, token: string): boolean {
      const entry = entries.get(id);
      const offered = entry?.offered;
      if (entry === undefined || offered?.page !== page || !isSameSecret(token, offered.token)) return false;
      entry.offered = null;
      return true;
    },
    forget: (id: string): void => void entries.delete(id),
  };
}
