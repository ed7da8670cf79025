import { AppError } from '#shared/errors/index.ts';
import { type AuthorizationRequest, type InteractionResult, paths } from '../authorization-server.ts';
import { sendRedirect } from '../http.ts';
import type { Interaction } from '../library/exchange.ts';
import type { Endpoint, OAuthExchange, ServerParts } from '../checks.ts';

/** Hands a browser below its interaction's address to the strategy that answers for a person. */
export function createInteraction(parts: ServerParts): Endpoint {
  return async (exchange) => {
    const id = exchange.path.split('/')[2] ?? '';
    const path = `${paths.interaction}/${id}`;
    const interaction = await findInteraction(parts, exchange);
    if (interaction?.uid !== id) throw new AppError('oauth_interaction_unknown');
    const resume = new URL(interaction.returnTo).pathname;
    // A form that is sent twice changes nothing: the first answer counts.
    if (interaction.result !== undefined) {
      sendRedirect(exchange.response, { location: resume });
      return;
    }
    const { request, response } = exchange;
    await parts.options.interaction.handle(await askedOf(parts, interaction), {
      request,
      response,
      path,
      subpath: exchange.path.slice(path.length),
      async finish(result) {
        await finish(parts, { exchange, interaction, result });
        sendRedirect(response, { location: resume });
      },
    });
  };
}

async function findInteraction(
  { library, cookies }: ServerParts,
  { request }: OAuthExchange,
): Promise<Interaction | null> {
  const { pair, findInteraction: find } = await library();
  const asked = pair(cookies.incoming(request));
  return find(asked.request, asked.response);
}

async function askedOf(
  { clients, facts }: ServerParts,
  { uid, params, exp }: Interaction,
): Promise<AuthorizationRequest> {
  const client = await clients.find(String(params['client_id']));
  if (client === null) throw new AppError('oauth_interaction_unknown');
  return {
    id: uid,
    clientId: client.clientId,
    clientName: client.clientName,
    redirectUri: String(params['redirect_uri']),
    grantTypes: client.grantTypes,
    scopes: scopesOf(params),
    resource: facts.resource,
    expiresAtMs: exp * 1000,
  };
}

function scopesOf(params: Interaction['params']): string[] {
  const { scope } = params;
  return typeof scope === 'string' ? scope.split(' ') : [];
}

/** Writes the answer down, once. A person who may no longer hold grants has not agreed to anything. */
async function finish(
  { library, cookies, grants, options }: ServerParts,
  parts: { exchange: OAuthExchange; interaction: Interaction; result: InteractionResult },
): Promise<void> {
  const { exchange, interaction, result } = parts;
  const { provider, pair } = await library();
  await provider.Interaction.adapter.consume(interaction.uid);
  const { request, response } = pair(cookies.incoming(exchange.request));
  const asked = scopesOf(interaction.params);
  const scopes = result.kind === 'granted' ? asked.filter((scope) => result.scopes.includes(scope)) : [];
  if (result.kind === 'denied' || scopes.length === 0 || !options.isActive(result.subject)) {
    const refusal = { error: 'access_denied', error_description: 'The person did not agree.' };
    await provider.interactionResult(request, response, refusal, { mergeWithLastSubmission: false });
    return;
  }
  const { subject } = result;
  const grantId = await grants.save({ subject, clientId: String(interaction.params['client_id']), scopes });
  options.onGranted?.({ subject, grantId });
  await provider.interactionResult(
    request,
    response,
    { login: { accountId: subject, remember: false }, consent: { grantId } },
    { mergeWithLastSubmission: false },
  );
}
