import { tokenExpiry } from '#core/connections/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { remediesFor, meaningOfRefusal, refusalLine } from '../answers/refusals.ts';
import { duration, listed } from '../answers/words.ts';
import { failed, ok, skipped, type Examination, type Finding, type Step } from './step.ts';

/** Whether there is a living access for the remote tools (contract §5.3). No new one is asked for unless its time is up. */
export const signIn: Step = {
  id: 'sign-in',
  title: 'Sign-in',
  asks: ({ remoteAccess }) =>
    remoteAccess === 'direct-jwt'
      ? 'the member token that opens the tools; nothing is sent'
      : 'the stored access; it is renewed where its time is up',
  at: ({ addresses }) => addresses.mcpUrl,
  async examine(examination) {
    const { access, facts, signal } = examination;
    if (access === null) return withoutAccess(examination);
    let token;
    try {
      token = await access.token();
    } catch (failure) {
      signal.throwIfAborted();
      if (!(failure instanceof AppError)) throw failure;
      return failed(refusalLine(failure), meaningOfRefusal(failure, 'remote', examination.target));
    }
    facts.signedIn = true;
    return livingToken(token, examination);
  },
};

function withoutAccess({ target }: Examination): Finding {
  const instructions = remediesFor(target);
  if (target.remoteAccess === 'direct-jwt') {
    return skipped('There is no member token to open the tools with.', instructions.memberToken);
  }
  switch (target.grants?.load().kind) {
    case 'ended':
      return failed('the stored access has ended', {
        means: 'The sign-in was ended by the service, or by a renewal whose answer never came.',
        remedy: instructions.signIn,
      });
    case 'other-key':
      return skipped(
        'The sign-in is kept under the key of another session and cannot be opened now.',
        instructions.signIn,
      );
    default:
      return skipped('Not signed in, so the tools were not asked.', instructions.signIn);
  }
}

function livingToken(token: string, { target, facts, clock }: Examination): Finding {
  const endsAtMs = tokenExpiry(token) ?? heldGrant(target)?.expiresAtMs ?? null;
  const leftMs = endsAtMs === null ? null : endsAtMs - clock.nowMs();
  if (leftMs !== null && leftMs <= 0) {
    facts.signedIn = false;
    return failed(`a token that ended ${duration(leftMs)} ago`, {
      means: 'The token’s time is up, as the token itself says.',
      remedy:
        target.remoteAccess === 'direct-jwt' ? remediesFor(target).memberToken : remediesFor(target).signIn,
    });
  }
  const time = leftMs === null ? 'without a stated end' : `good for ${duration(leftMs)}`;
  const scopes = heldGrant(target)?.scopes ?? null;
  if (scopes === null) return ok(`access is here, ${time}`);
  const answer = `access is here, ${time}; scopes: ${listed(scopes)}`;
  if (scopes.includes('svc:read')) return ok(answer);
  return failed(answer, {
    means: 'The sign-in did not give svc:read, without which no tool opens.',
    remedy: remediesFor(target).signIn,
  });
}

function heldGrant({ grants }: Examination['target']): {
  scopes: readonly string[];
  expiresAtMs: number | null;
} | null {
  const loaded = grants?.load();
  return loaded?.kind === 'held' ? loaded.grant : null;
}
