import type { AuthorizationRequest, InteractionExchange } from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { consentPage } from './consent-page.ts';
import { decide } from './decide.ts';
import type { FormPage, InteractionDesk } from './desk.ts';
import { readForm } from './read-form.ts';
import type { PostedForm } from './read-form.ts';
import { signIn } from './sign-in.ts';
import { signInPage } from './sign-in-page.ts';
import type { Step, StepAnswer, StepTools } from './step.ts';

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
