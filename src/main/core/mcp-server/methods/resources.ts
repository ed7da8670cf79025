import { AppError } from '#shared/errors/index.ts';
import { pageOf } from '../page.ts';
import { textParam } from './asked.ts';
import type { Method } from './asked.ts';

/** `resources/list` (MCP, Resources). */
export const listResources: Method = ({ surface, principal, params, known }) => {
  const { page, ...next } = pageOf(surface.listResources(principal), ({ uri }) => uri, params);
  known.saw('resources', principal);
  return { resources: page, ...next };
};

/** `resources/templates/list`. */
export const listResourceTemplates: Method = ({ surface, principal, params }) => {
  const templates = surface.listResourceTemplates(principal);
  const { page, ...next } = pageOf(templates, ({ uriTemplate }) => uriTemplate, params);
  return { resourceTemplates: page, ...next };
};

/** `resources/read`. */
export const readResource: Method = async ({ surface, principal, params, context }) => {
  const read = await surface.readResource(principal, textParam(params, 'uri'), context);
  return Array.isArray(read) ? { contents: read } : { ...read };
};

/** `resources/subscribe`: only to what can be read, so that a subscription tells nothing of what is not one's own. */
export const subscribe: Method = async ({ surface, principal, params, context, wishes, limits }) => {
  const uri = textParam(params, 'uri');
  await surface.readResource(principal, uri, context);
  wishes.subscriptions.add(uri);
  if (wishes.subscriptions.size <= limits.maxSubscriptionsPerSession) return {};
  wishes.subscriptions.delete(uri);
  throw new AppError('quota_exceeded', { message: 'This session has too many subscriptions.' });
};

/** `resources/unsubscribe`. */
export const unsubscribe: Method = ({ params, wishes }) => {
  wishes.subscriptions.delete(textParam(params, 'uri'));
  return {};
};
