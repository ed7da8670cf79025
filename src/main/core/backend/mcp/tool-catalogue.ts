import type { ToolDefinition } from '#core/mcp-server/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { everybodysScope, isOffered, scopesOf } from './requirements.ts';
import type { Entitled } from './requirements.ts';
import type { RemoteTool } from './tool.ts';
import { inputSchemaOf, outputSchemaOf } from './tool-schemas.ts';

/** Every tool of the service; what is listed of them depends on who asks. */
export interface ToolCatalogue {
  readonly size: number;
  find(name: string): RemoteTool | null;
  /** The definitions of what this principal may call, in the order of the catalogue. */
  offered(entitled: Entitled): readonly ToolDefinition[];
}

/** Makes every definition once. A name that is there twice is a bug. */
export function createToolCatalogue(tools: readonly RemoteTool[]): ToolCatalogue {
  const byName = new Map(
    tools.map((tool) => [tool.name, { tool: strictly(tool), definition: definitionOf(tool) }]),
  );
  if (byName.size !== tools.length) throw new Error('Two tools have the same name');
  return {
    size: byName.size,
    find: (name) => byName.get(name)?.tool ?? null,
    offered: (entitled) =>
      [...byName.values()]
        .filter(({ tool }) => isOffered(entitled, tool))
        .map(({ definition }) => definition),
  };
}

function strictly(tool: RemoteTool): RemoteTool {
  return { ...tool, input: tool.input.strict() };
}

function definitionOf(tool: RemoteTool): ToolDefinition {
  const { name, title, description, input, output } = tool;
  return {
    name,
    title,
    description: `${description}${needsOf(tool)}`,
    inputSchema: inputSchemaOf(input),
    outputSchema: outputSchemaOf(output),
    annotations: annotationsOf(tool),
  };
}

/** The scopes beyond the one that everybody has. */
function needsOf(tool: RemoteTool): string {
  const scopes = scopesOf(tool).filter((scope) => scope !== everybodysScope);
  return scopes.length === 0 ? '' : ` Needs ${scopes.join(' and ')}.`;
}

/** What a kind of tool does. A prepare keeps an approval, so it is no mere reading; a commit repeats under its key. */
const hintsOfKind: Readonly<Record<RemoteTool['kind'], JsonObject>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  prepare: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  commit: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

function annotationsOf({ title, kind, annotations }: RemoteTool): JsonObject {
  return { title, ...hintsOfKind[kind], ...annotations, openWorldHint: false };
}
