import { findKnownClient } from '../checks/token/known-client.ts';
import type { Check, ClientRequest } from '../checks/facts.ts';
import { checkCode } from '../checks/token/code.ts';
import { checkCodeVerifier } from '../checks/token/code-verifier.ts';
import { checkGrantType } from '../checks/token/grant-type.ts';
import { rejectOtherAuthentication } from '../checks/token/other-authentication.ts';
import { rejectQuery } from '../checks/token/query.ts';
import { checkRefreshToken } from '../checks/token/refresh-token.ts';
import { rejectRepeated } from '../checks/repeated.ts';
import { checkNamedResource, checkResource } from '../checks/resource.ts';
import { checkScope } from '../checks/scopes.ts';
import { sendJson } from '../http/answers.ts';
import type { Parameters } from '../http/parameters.ts';
import { readForm } from '../http/read-body.ts';
import { paths } from '../paths.ts';
import type { TokenAnswer } from '../refresh-repeats.ts';
import type { Endpoint, ServerParts } from '../server-parts.ts';
import { jsonOf } from './library-answer.ts';

const checksByGrantType: Record<string, readonly Check<ClientRequest>[]> = {
  authorization_code: [checkCode, checkCodeVerifier, checkResource],
  refresh_token: [checkRefreshToken, checkNamedResource, checkScope],
};

/** What of a request the library gets to see. */
const passedOn = [
  'grant_type',
  'client_id',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'resource',
];

/** What of its answer the client gets to see (RFC 6749 §5.1). */
const answered = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'];

/** The token endpoint (OAuth 2.1 §3.2): a code or a refresh token for new tokens. */
export function createToken({ facts, library, clients, repeats, tokenQuota }: ServerParts): Endpoint {
  return async (exchange) => {
    const { request } = exchange;
    rejectQuery(request);
    const parameters = await readForm(request);
    rejectRepeated({ parameters });
    rejectOtherAuthentication(request, parameters);
    const client = await findKnownClient(parameters, facts);
    tokenQuota.take(client.clientId);
    const asked = { parameters, client };
    checkGrantType(asked, facts);
    const grantType = parameters.values.get('grant_type') ?? '';
    for (const check of checksByGrantType[grantType] ?? []) check(asked, facts);

    const form = formFor(parameters, grantType);
    const redeem = async (): Promise<TokenAnswer> =>
      answerOf(jsonOf(await library.run({ path: paths.token, form })));
    const refreshToken = grantType === 'refresh_token' ? parameters.values.get('refresh_token') : undefined;
    const tokens =
      repeats === null || refreshToken === undefined
        ? await redeem()
        : await repeats.answer(
            { clientId: client.clientId, refreshToken, scope: parameters.values.get('scope') ?? null },
            redeem,
          );
    clients.used(client.clientId);
    sendJson(exchange, 200, tokens);
  };
}

function answerOf(tokens: Record<string, unknown>): TokenAnswer {
  return Object.fromEntries(
    answered.map((name) => [name, tokens[name]]).filter(([, value]) => value !== undefined),
  );
}

function formFor({ values }: Parameters, grantType: string): Map<string, string> {
  // A scope narrows a refresh; with a code it has no meaning.
  const names = grantType === 'refresh_token' ? [...passedOn, 'scope'] : passedOn;
  const form = new Map<string, string>();
  for (const name of names) {
    const value = values.get(name);
    if (value !== undefined) form.set(name, value);
  }
  return form;
}
