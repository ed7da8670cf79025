import type {
  AuthorizationRequest,
  InteractionExchange,
  InteractionStrategy,
} from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { BackendService } from '../service.ts';
import { createSignInAccounts, createSignInThrottle } from './sign-in-accounts.ts';
import { createOpenInteractions } from './open-interactions.ts';
import { redirectPlace } from './layout.ts';
import { messagePage } from './pages.ts';
import { pageHeaders, sendPage } from './page-http.ts';
import { createSteps } from './page-steps.ts';

/**
 * The service's own page: a sign-in with a demo account, then the question. Nothing is remembered from one request for
 * access to the next, so every one is asked in full.
 */
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
    sendPage(response, { ...answered, leadsTo: redirectPlace(asked.redirectUri).policySource });
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
