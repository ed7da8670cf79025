import type { PromptDefinition, ResourceDefinition, ResourceTemplate } from '#core/mcp-server/index.ts';
import type { RemoteClient } from '#core/service-client/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';

/** The lists of a service besides its tools, complete. */
export interface Lists {
  resources: readonly ResourceDefinition[];
  templates: readonly ResourceTemplate[];
  prompts: readonly PromptDefinition[];
  /** True if it completes arguments of prompts and templates. */
  completes: boolean;
}

/** The lists that were read; one that could not be read is missing. */
export interface ReadLists {
  tools: readonly JsonObject[];
  others: Partial<Lists>;
}

export const noLists: Lists = { resources: [], templates: [], prompts: [], completes: false };

/**
 * Reads every list of a service to its end. Fails as the tools do; of the others what could be read is taken, but for entries
 * without the member by which they are asked for.
 */
export async function readLists(remote: RemoteClient): Promise<ReadLists> {
  const [tools, resources, templates, prompts, completes] = await Promise.all([
    remote.listTools(),
    readOr(remote.listResources()),
    readOr(remote.listResourceTemplates()),
    readOr(remote.listPrompts()),
    readOr(remote.completes()),
  ]);
  return {
    tools,
    others: {
      ...(resources === null ? {} : { resources: resources.filter(isResource) }),
      ...(templates === null ? {} : { templates: templates.filter(isTemplate) }),
      ...(prompts === null ? {} : { prompts: prompts.filter(isPrompt) }),
      ...(completes === null ? {} : { completes }),
    },
  };
}

async function readOr<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch(() => null);
}

function isResource(entry: JsonObject): entry is JsonObject & ResourceDefinition {
  return typeof entry['uri'] === 'string';
}

function isTemplate(entry: JsonObject): entry is JsonObject & ResourceTemplate {
  return typeof entry['uriTemplate'] === 'string';
}

function isPrompt(entry: JsonObject): entry is JsonObject & PromptDefinition {
  return typeof entry['name'] === 'string';
}
