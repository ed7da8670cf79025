import { paths } from '../authorization-server.ts';
import {
  type Check,
  checkNamedResource,
  checkResource,
  checkScope,
  type ClientRequest,
  rejectRepeated,
  requireParameter,
  checkCode,
  checkCodeVerifier,
  checkGrantType,
  checkRefreshToken,
  findKnownClient,
  rejectOtherAuthentication,
  rejectQuery,
  tokenPattern,
  type Endpoint,
  type ServerParts,
} from '../checks.ts';
import { sendJson, type Parameters, readForm } from '../http.ts';
import { jsonOf } from '../library/exchange.ts';
import type { TokenAnswer } from '../tokens/refresh-repeats.ts';

const checksByGrantType: Record<string, readonly Check<ClientRequest>[]> = {
  authorization_code: [checkCode, checkCodeVerifier, checkResource],
  refresh_token: [checkRefreshToken, checkNamedResource, checkScope],
};

const forwardedParameters = [
  'grant_type',
  'client_id',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'resource',
];

const answerMembers = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'];

export function createTokenEndpoint({ facts, library, clients, repeats, tokenQuota }: ServerParts): Endpoint {
  return async (exchange) => {
    const { request } = exchange;
    rejectQuery(request);
    const parameters = await readForm(request);
    rejectRepeated({ parameters });
    rejectOtherAuthentication(request, parameters);
    const client = await findKnownClient(parameters, facts);
    tokenQuota.take(client.clientId);
    const clientRequest = { parameters, client };
    checkGrantType(clientRequest, facts);
    const grantType = parameters.values.get('grant_type') ?? '';
    for (const check of checksByGrantType[grantType] ?? []) check(clientRequest, facts);

    const form = createForm(parameters, grantType);
    const redeem = async (): Promise<TokenAnswer> =>
      toTokenAnswer(jsonOf(await (await library()).run({ path: paths.token, form })));
    const refreshToken = grantType === 'refresh_token' ? parameters.values.get('refresh_token') : undefined;
    const tokens =
      repeats === null || refreshToken === undefined
        ? await redeem()
        : await repeats.answer(
            { clientId: client.clientId, refreshToken, scope: parameters.values.get('scope') ?? null },
            redeem,
          );
    clients.markUsed(client.clientId);
    sendJson(exchange, 200, tokens);
  };
}

function toTokenAnswer(tokens: Record<string, unknown>): TokenAnswer {
  return Object.fromEntries(
    answerMembers.map((name) => [name, tokens[name]]).filter(([, value]) => value !== undefined),
  );
}

function createForm({ values }: Parameters, grantType: string): Map<string, string> {
  // The scope may narrow a refresh. With a code it has no meaning.
  const names = grantType === 'refresh_token' ? [...forwardedParameters, 'scope'] : forwardedParameters;
  const form = new Map<string, string>();
  for (const name of names) {
    const value = values.get(name);
    if (value !== undefined) form.set(name, value);
  }
  return form;
}

/**
 * Revocation (RFC 7009): a client's own token of either kind ends its
 * grant. An unknown token, or that of another client, is ignored.
 */
export function createRevokeEndpoint({ facts, library, tokenQuota }: ServerParts): Endpoint {
  return async ({ request, response }) => {
    rejectQuery(request);
    const parameters = await readForm(request);
    rejectRepeated({ parameters });
    rejectOtherAuthentication(request, parameters);
    const client = await findKnownClient(parameters, facts);
    tokenQuota.take(client.clientId);
    const token = requireParameter(parameters, 'token');
    if (tokenPattern.test(token)) {
      const form = new Map([
        ['client_id', client.clientId],
        ['token', token],
      ]);
      const { run } = await library();
      jsonOf(await run({ path: paths.revoke, form }));
    }
    response.writeHead(200, { 'content-length': 0 });
    response.end();
  };
}
