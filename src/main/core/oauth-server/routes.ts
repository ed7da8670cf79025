import { AppError } from '#shared/errors/index.ts';
import type { LoopbackHandler } from '#core/platform/loopback/index.ts';
import type { Logger } from '#core/platform/logger.ts';
import { rejectEmbedded } from './checks/every-request.ts';
import { createAuthorize, createResume } from './endpoints/authorize.ts';
import { createInteraction } from './endpoints/interaction.ts';
import { createResourceMetadata, createServerMetadata } from './endpoints/metadata.ts';
import { createRegister } from './endpoints/register.ts';
import { createRevoke, createToken } from './endpoints/token.ts';
import { sendError, sendErrorPage, wireErrorOf } from './http/answer.ts';
import { type InteractionStrategy, paths, resourceMetadataPath } from './authorization-server.ts';
import type { Endpoint, Exchange, ServerParts } from './server-parts.ts';

/** One address of the server. */
interface Route {
  /** A whole path, or what matches one. */
  path: string | RegExp;
  methods: readonly string[];
  endpoint: Endpoint;
  /** True if the user sees its refusals: it may be opened only in a window of its own. */
  refuses: 'people' | 'programs';
}

/** Every address that the server answers; there is no other way in. */
function routesOf(parts: ServerParts): readonly Route[] {
  const { options } = parts;
  const read = ['GET', 'HEAD'];
  const send = ['GET', 'POST'];
  const row = (
    path: Route['path'],
    methods: Route['methods'],
    endpoint: Endpoint,
    refuses: Route['refuses'],
  ): Route => ({ path, methods, endpoint, refuses });
  return [
    row(resourceMetadataPath(options.resource), read, createResourceMetadata(options), 'programs'),
    row(paths.serverMetadata, read, createServerMetadata(options), 'programs'),
    row(paths.authorize, send, createAuthorize(parts), 'people'),
    row(/^\/authorize\/[\w-]{1,64}$/, ['GET'], createResume(parts), 'people'),
    row(/^\/interaction\/[\w-]{1,64}(?:\/[\w/-]*)?$/, send, createInteraction(parts), 'people'),
    row(paths.token, ['POST'], createToken(parts), 'programs'),
    row(paths.register, ['POST'], createRegister(parts), 'programs'),
    row(paths.revoke, ['POST'], createRevoke(parts), 'programs'),
  ];
}

/** The addresses as one handler. */
export function createRoutes(
  parts: ServerParts,
  logger: Logger,
): { answers(path: string): boolean; handle: LoopbackHandler } {
  const routes = routesOf(parts);
  const find = (path: string) =>
    routes.find((route) => (typeof route.path === 'string' ? route.path === path : route.path.test(path)));
  const tools = { logger, interaction: parts.options.interaction };
  return {
    answers: (path) => find(path) !== undefined,
    handle(request, response) {
      const [path = ''] = (request.url ?? '').split('?', 1);
      void answer(find(path), { request, response, path }, tools);
    },
  };
}

/** The parts that a refusal uses. */
interface RefusalTools {
  logger: Logger;
  interaction: InteractionStrategy;
}

async function answer(route: Route | undefined, exchange: Exchange, tools: RefusalTools): Promise<void> {
  try {
    if (route === undefined) throw new AppError('not_found');
    if (!route.methods.includes(exchange.request.method ?? '')) {
      exchange.response.setHeader('allow', route.methods.join(', '));
      throw new AppError('method_not_allowed');
    }
    if (route.refuses === 'people') rejectEmbedded(exchange.request);
    await route.endpoint(exchange);
  } catch (failure) {
    refuse(failure, { route, exchange, ...tools });
  }
}

function refuse(
  failure: unknown,
  { route, exchange, logger, interaction }: RefusalTools & { route: Route | undefined; exchange: Exchange },
): void {
  const wire = wireErrorOf(failure);
  const { request, response } = exchange;
  // The path may hold the secret of a sign-in, so it is not written down.
  const method = request.method ?? '';
  if (wire.status >= 500) logger.error({ err: failure, method }, 'The authorization server failed');
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // A browser is not asked to authenticate here.
  if (route?.refuses === 'people')
    sendErrorPage(exchange, { ...wire, status: wire.status === 401 ? 400 : wire.status }, interaction);
  else sendError(exchange, wire);
}
