import type { AuthorizationRequest, InteractionExchange } from '#core/oauth-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { scopeWords, shownScopes } from '../scope-words.ts';
import type { PostedForm } from './read-form.ts';
import type { StepAnswer, StepTools } from './step.ts';

/** Ends the interaction with what the person answered. Whatever is not a plain Allow is no permission. */
export async function decide(
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
