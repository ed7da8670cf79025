import type { Clock } from '#core/platform/clock.ts';
import { AppError } from '#shared/errors/index.ts';
import type { Authorization } from './authorization.ts';
import type { Callback } from './callback-listener.ts';
import type { CallbackPage } from './callback-page.ts';
import type { Grant, GrantStore, HeldGrant, RegisteredClient } from './grant.ts';
import type { ServerRequests } from './server-requests.ts';
import { heldTokens } from './tokens.ts';

export interface FinishOptions {
  authorization: Authorization;
  callback: Callback;
  client: RegisteredClient;
  resource: string;
  /** As asked. */
  scopes: readonly string[];
  requests: ServerRequests;
  store: Pick<GrantStore, 'load' | 'save'>;
  signal: AbortSignal;
  clock: Clock;
}

/** The stored grant, and what was held before it. */
export interface FinishedSignIn {
  grant: Grant;
  replaced: HeldGrant;
}

/** Checks the answer, exchanges its code, stores the grant, and only then tells the browser how it ended. */
export async function finishSignIn(options: FinishOptions): Promise<FinishedSignIn> {
  const { callback, store, signal } = options;
  let page: CallbackPage = 'failed';
  try {
    const grant = await redeem(options);
    // Cancelled while the answer was read: nobody wants it any more.
    signal.throwIfAborted();
    const replaced = store.load();
    store.save(grant);
    page = 'signed-in';
    return { grant, replaced };
  } catch (failure) {
    if (failure instanceof AppError && failure.code === 'sign_in_refused') page = 'refused';
    throw failure;
  } finally {
    await callback.show(page);
  }
}

async function redeem({ authorization, callback, requests, clock, ...asked }: FinishOptions): Promise<Grant> {
  const answer = authorization.check(callback.parameters);
  const nowMs = clock.nowMs();
  const outcome = await authorization.exchange(answer, requests);
  if (outcome.kind !== 'granted') throw outcome.failure;
  const { client, resource, scopes } = asked;
  return {
    issuer: client.issuer,
    clientId: client.clientId,
    resource,
    signedInAtMs: nowMs,
    ...heldTokens(outcome.tokens, { scopes, nowMs }),
  };
}
