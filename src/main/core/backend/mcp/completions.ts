import { z } from 'zod';
import type { BackendReader } from '#core/store/backend/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import type { PublisherReports } from '../publisher/reports.ts';
import { readArguments } from '../remote-call/arguments.ts';
import type { RemotePrincipal } from '../remote-call/principal.ts';
import type { PromptCatalogue } from './prompts.ts';
import { hasModule } from '../remote-call/tool.ts';
import { newestCampaigns } from './resources.ts';
import type { ResourceCatalogue } from './resources.ts';

/** The argument to complete, of a prompt or of a resource template (MCP, Completion). */
const asked = z.object({
  ref: z.union([
    z.object({ type: z.literal('ref/prompt'), name: z.string() }),
    z.object({ type: z.literal('ref/resource'), uri: z.string() }),
  ]),
  argument: z.object({ name: z.string(), value: z.string() }),
});

/** Maximum number of values in one answer (MCP, Completion). */
const maxValues = 100;

/** Campaigns are looked for among so many of the newest. */
const maxSearched = 1_000;

/**
 * Completes campaign ids and traffic sources, from the account's own; everything else has no suggestions. Fails with
 * `object_not_found` for a prompt or template that there is not.
 */
export function createCompletions(parts: {
  read: BackendReader;
  reports: PublisherReports;
  prompts: PromptCatalogue;
  resources: ResourceCatalogue;
}): (principal: RemotePrincipal, params: JsonObject) => JsonObject {
  const { read, reports, prompts, resources } = parts;
  const isKnown = (principal: RemotePrincipal, ref: z.output<typeof asked>['ref']): boolean =>
    ref.type === 'ref/prompt'
      ? prompts.find(ref.name) !== null
      : resources.templates(principal).some(({ uriTemplate }) => uriTemplate === ref.uri);
  const valuesOf = (principal: RemotePrincipal, argument: string): readonly number[] => {
    const { uid } = principal.member;
    if (argument === 'cid' && hasModule(principal, { modules: ['campaigns'] })) {
      return newestCampaigns(read, uid, maxSearched).map(({ cid }) => cid);
    }
    if (argument === 'tid' && hasModule(principal, { modules: ['xml'] })) return reports.sources(uid).tids;
    return [];
  };
  return (principal, params) => {
    const { ref, argument } = readArguments(asked, params);
    if (!isKnown(principal, ref)) {
      throw new AppError('object_not_found', { message: 'There is no such prompt or resource template.' });
    }
    const values = valuesOf(principal, argument.name)
      .map(String)
      .filter((value) => value.startsWith(argument.value));
    return {
      completion: {
        values: values.slice(0, maxValues),
        total: values.length,
        hasMore: values.length > maxValues,
      },
    };
  };
}
