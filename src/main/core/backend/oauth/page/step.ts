import type { AuthorizationRequest, InteractionExchange } from '#core/oauth-server/index.ts';
import type { Tenant } from '../../tenants.ts';
import type { SignInAccounts } from './accounts.ts';
import type { InteractionDesk } from './desk.ts';
import type { Markup } from '#core/platform/html.ts';
import type { SignInThrottle } from './throttle.ts';

/** A page that a step answers with. */
export interface PageAnswer {
  kind: 'page';
  status: number;
  markup: Markup;
  headers?: Record<string, string>;
}

/** How a step answers: with a page, by sending the browser to the page of the interaction, or by having finished. */
export type StepAnswer = PageAnswer | { kind: 'again' } | { kind: 'finished' };

/** What the steps of one service share. */
export interface StepTools {
  tenant: Tenant;
  accounts: SignInAccounts;
  desk: InteractionDesk;
  throttle: SignInThrottle;
}

/** What the browser may do below the path of an interaction. */
export interface Step {
  methods: readonly string[];
  run(asked: AuthorizationRequest, exchange: InteractionExchange): StepAnswer | Promise<StepAnswer>;
}
