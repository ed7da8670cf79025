import { z } from 'zod';
import { jsonSchemaOf, type ToolDefinition } from '#core/mcp-server/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { exactPaginationSchema } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import {
  defaultScope,
  isOffered,
  scopesOf,
  type Entitlements,
  type RemoteTool,
} from '../remote-call/tool.ts';

export interface ToolCatalogue {
  readonly size: number;
  find(name: string): RemoteTool | null;
  offered(entitled: Entitlements): readonly ToolDefinition[];
  /** Changes the published definition of a tool; its behaviour stays unchanged. Fails with `object_not_found`. */
  redefine(name: string, definition: DefinitionOverride): void;
  /** Lets a tool accept and ignore arguments that its definition does not name, as many services do. Fails with `object_not_found`. */
  allowExtraArguments(name: string): void;
}

interface DefinitionOverride {
  description: string;
  argument: string;
}

interface CataloguedTool {
  tool: RemoteTool;
  definition(): ToolDefinition;
}

/** Makes each definition when it is first listed. Throws if two tools have the same name. */
export function createToolCatalogue(tools: readonly RemoteTool[]): ToolCatalogue {
  const byName = new Map(tools.map((tool) => [tool.name, makeStrict(tool)]));
  if (byName.size !== tools.length) throw new Error('Two tools have the same name');
  const requireTool = (name: string): RemoteTool => {
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined) throw new AppError('object_not_found');
    return found;
  };
  return {
    size: byName.size,
    find: (name) => byName.get(name)?.tool ?? null,
    offered: (entitled) =>
      [...byName.values()]
        .filter(({ tool }) => isOffered(entitled, tool))
        .map(({ definition }) => definition()),
    redefine: (name, other) =>
      void byName.set(name, makeStrict(overrideDefinition(requireTool(name), other))),
    allowExtraArguments(name) {
      const tool = requireTool(name);
      const { additionalProperties: _none, ...inputSchema } = inputSchemaOf(tool.input);
      const definition = { ...definitionOf(tool), inputSchema };
      byName.set(name, { tool, definition: () => definition });
    },
  };
}

function overrideDefinition(tool: RemoteTool, { description, argument }: DefinitionOverride): RemoteTool {
  return {
    ...tool,
    description,
    input: tool.input.extend({ [argument]: z.string().optional() }),
    run: (principal, { [argument]: _ignored, ...args }, context) => tool.run(principal, args, context),
  };
}

function makeStrict(tool: RemoteTool): CataloguedTool {
  let definition: ToolDefinition | undefined;
  return {
    tool: { ...tool, input: tool.input.strict() },
    definition: () => (definition ??= definitionOf(tool)),
  };
}

function definitionOf(tool: RemoteTool): ToolDefinition {
  const { name, title, description, input, output } = tool;
  const seenDescriptions = new Set<string>();
  const isPaged = Object.hasOwn(input.shape, 'offset');
  return {
    name,
    title,
    description: `${description}${scopesNote(tool)}`,
    inputSchema: dedupeDescriptions(inputSchemaOf(input), seenDescriptions),
    outputSchema: dedupeDescriptions(outputSchemaOf(output, isPaged), seenDescriptions),
    annotations: annotationsOf(tool),
  };
}

function scopesNote(tool: RemoteTool): string {
  const scopes = scopesOf(tool).filter((scope) => scope !== defaultScope);
  return scopes.length === 0 ? '' : ` Needs ${scopes.join(' and ')}.`;
}

/** Hints of each kind of tool. A prepare stores an approval, so it is not read-only; a commit can be repeated under its key. */
const hintsOfKind: Readonly<Record<RemoteTool['kind'], JsonObject>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  prepare: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  commit: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

function annotationsOf({ title, kind, annotations }: RemoteTool): JsonObject {
  return { title, ...hintsOfKind[kind], ...annotations, openWorldHint: false };
}

/** Has no descriptions, because the definition of every tool repeats this schema. */
const errorSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  next: z.string(),
  statusCode: z.int(),
  errors: z.array(z.strictObject({ field: z.string(), code: z.string(), message: z.string() })).optional(),
});

/** Schema keywords that map names to schemas. The names are not read as keywords, because a schema may choose any name. */
const mapKeywords: ReadonlySet<string> = new Set(['properties', '$defs']);
const literalKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

function dedupeDescriptions(schema: JsonObject, said: Set<string>): JsonObject {
  const { description, ...rest } = schema;
  const isNew = typeof description === 'string' && !said.has(description);
  if (isNew) said.add(description);
  const dedupe = (value: JsonValue): JsonValue =>
    Array.isArray(value) ? value.map(dedupe) : isJsonObject(value) ? dedupeDescriptions(value, said) : value;
  const members = Object.entries(rest).map(([key, value]): [string, JsonValue] => {
    if (literalKeywords.has(key)) return [key, value];
    if (!mapKeywords.has(key) || !isJsonObject(value)) return [key, dedupe(value)];
    return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, dedupe(part)]))];
  });
  return { ...Object.fromEntries(members), ...(isNew ? { description } : {}) };
}

function inputSchemaOf(input: z.ZodObject): JsonObject {
  return { ...jsonSchemaOf(input.strict(), 'input'), additionalProperties: false };
}

/** `{status: 'success', data, sourcePagination?}` or `{status: 'error', error}`. MCP clients validate every answer against it. */
function outputSchemaOf(data: z.ZodType, isPaged: boolean): JsonObject {
  const envelope = z.strictObject({
    status: z.enum(['success', 'error']),
    data: data.optional(),
    ...(isPaged && { sourcePagination: exactPaginationSchema.strict().optional() }),
    error: errorSchema.optional(),
  });
  return {
    ...jsonSchemaOf(envelope, 'output'),
    oneOf: [variantWith('success', 'data'), variantWith('error', 'error')],
  };
}

function variantWith(status: 'success' | 'error', part: 'data' | 'error'): JsonObject {
  const other = part === 'data' ? 'error' : 'data';
  return { properties: { status: { const: status } }, required: [part], not: { required: [other] } };
}
