import { tokenExpiry } from '#core/connections/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { openLoopbackListener } from '#core/platform/loopback/listener.ts';
import type { RegisteredClient } from '#core/service-client/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { ownWords, sentence } from '#shared/lib/sentence.ts';
import type { Meaning } from '../answers/no-answer.ts';
import { remediesFor } from '../answers/refusals.ts';
import { duration, listed } from '../answers/ask.ts';
import { type Examination, failed, type Finding, notice, ok, skipped, type ExaminationStep } from './step.ts';

/**
 * Contract §5.3: requires a usable registration endpoint, or an
 * existing registration with a free callback port. Registers nothing.
 */
export const registration: ExaminationStep = {
  id: 'registration',
  title: 'Registration',
  asks: () => sentence`nothing is sent: what the sign-in document offers, and what is stored here`,
  at: () => null,
  blocked({ facts, target }) {
    if (target.remoteAccess === 'direct-jwt')
      return ok(sentence`not needed: the member token opens the tools here`);
    if (target.access !== null && target.grants === null) {
      return ok(sentence`not needed: the access is handed out inside the app`);
    }
    return facts.server === null ? skipped(sentence`It needs the authorization server’s document.`) : null;
  },
  async examine(examination) {
    const { facts, target, logger } = examination;
    if (facts.server === null) throw new Error('Asked without the document');
    const { issuer, registrationEndpoint } = facts.server;
    const stored = target.grants?.client() ?? null;
    const client = stored?.issuer === issuer ? stored : null;
    const refusal = wrongEndpoint(registrationEndpoint, examination.policy);
    if (client === null) return asNewClient(registrationEndpoint, refusal);
    const isFree = await isPortFree(client.redirectUri, logger);
    return asRegistered(client, { isFree, refusal });
  },
};

function asNewClient(endpoint: unknown, refusal: Meaning | null): Finding {
  if (refusal !== null) return failed(sentence`not registered, and no way to be`, refusal);
  return ok(sentence`not registered yet; the first sign-in does it at ${String(endpoint)}`);
}

function asRegistered(
  { redirectUri }: RegisteredClient,
  { isFree, refusal }: { isFree: boolean; refusal: Meaning | null },
): Finding {
  const origin = ownWords(new URL(redirectUri).origin);
  if (isFree) return ok(sentence`registered, with ${origin} as the place for the answer`);
  const means = sentence`Another program listens at ${origin}, where the answer to a sign-in would come, unless a sign-in is under way now.`;
  const answer = sentence`registered, and the port of ${origin} is taken`;
  if (refusal === null) {
    return notice(answer, {
      means,
      remedy: sentence`Sign in as usual: Countersign registers with another port.`,
    });
  }
  return failed(answer, {
    means,
    remedy: sentence`End that program, then sign in: registration is closed here.`,
  });
}

function wrongEndpoint(endpoint: unknown, policy: Examination['policy']): Meaning | null {
  if (endpoint === undefined) {
    return {
      means: sentence`The authorization server offers no registration, so Countersign cannot become its client.`,
      remedy: sentence`Ask the operator of the service to open dynamic registration.`,
    };
  }
  try {
    policy.check(endpoint, 'registration_endpoint');
    return null;
  } catch (failure) {
    if (!(failure instanceof AppError)) throw failure;
    return { means: failure.message, remedy: failure.next };
  }
}

async function isPortFree(redirectUri: string, logger: Logger): Promise<boolean> {
  const port = Number(URL.parse(redirectUri)?.port ?? '');
  if (port === 0) return true;
  try {
    const listener = await openLoopbackListener({
      port,
      logger,
      handler: () => {
        throw new AppError('not_found');
      },
    });
    await listener.dispose();
    return true;
  } catch {
    return false;
  }
}

/** Contract §5.3: requires a valid access, which is renewed only if it has expired. */
export const signIn: ExaminationStep = {
  id: 'sign-in',
  title: 'Sign-in',
  asks: ({ remoteAccess }) =>
    remoteAccess === 'direct-jwt'
      ? sentence`the member token that opens the tools; nothing is sent`
      : sentence`the stored access; it is renewed where its time is up`,
  at: ({ addresses }) => addresses.mcpUrl,
  async examine(examination) {
    const { access, facts } = examination;
    if (access === null) return withoutAccess(examination);
    const token = await access.token();
    facts.signedIn = true;
    return livingToken(token, examination);
  },
};

function withoutAccess({ target }: Examination): Finding {
  const instructions = remediesFor(target);
  if (target.remoteAccess === 'direct-jwt') {
    return skipped(sentence`There is no member token to open the tools with.`, instructions.memberToken);
  }
  switch (target.grants?.load().kind) {
    case 'ended':
      return failed(sentence`the stored access has ended`, {
        means: sentence`The sign-in was ended by the service, or by a renewal whose answer never came.`,
        remedy: instructions.signIn,
      });
    case 'other-key':
      return skipped(
        sentence`The sign-in is kept under the key of another session and cannot be opened now.`,
        instructions.signIn,
      );
    default:
      return skipped(sentence`Not signed in, so the tools were not asked.`, instructions.signIn);
  }
}

function livingToken(token: string, { target, facts, clock }: Examination): Finding {
  const endsAtMs = tokenExpiry(token) ?? heldGrant(target)?.expiresAtMs ?? null;
  const leftMs = endsAtMs === null ? null : endsAtMs - clock.nowMs();
  if (leftMs !== null && leftMs <= 0) {
    facts.signedIn = false;
    return failed(sentence`a token that ended ${duration(leftMs)} ago`, {
      means: sentence`The token’s time is up, as the token itself says.`,
      remedy:
        target.remoteAccess === 'direct-jwt' ? remediesFor(target).memberToken : remediesFor(target).signIn,
    });
  }
  const time = ownWords(leftMs === null ? 'without a stated end' : `good for ${duration(leftMs).ownWords}`);
  const scopes = heldGrant(target)?.scopes ?? null;
  if (scopes === null) return ok(sentence`access is here, ${time}`);
  const answer = sentence`access is here, ${time}; scopes: ${listed(scopes)}`;
  if (scopes.includes('svc:read')) {
    return heldGrant(target)?.refreshToken === null
      ? notice(sentence`${ownWords(answer)}; no refresh token`, withoutRefresh)
      : ok(answer);
  }
  return failed(answer, {
    means: sentence`The sign-in did not give svc:read, without which no tool opens.`,
    remedy: remediesFor(target).signIn,
  });
}

const withoutRefresh: Meaning = {
  means: sentence`The service gave no refresh token, so that you have to sign in again each time the access ends.`,
  remedy: sentence`Ask the operator to give refresh tokens to the clients that register for them.`,
};

function heldGrant({ grants }: Examination['target']): {
  refreshToken: string | null;
  scopes: readonly string[];
  expiresAtMs: number | null;
} | null {
  const loaded = grants?.load();
  return loaded?.kind === 'held' ? loaded.grant : null;
}
