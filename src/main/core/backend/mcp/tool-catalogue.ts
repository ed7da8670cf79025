import { z } from 'zod';
import { jsonSchemaOf, type ToolDefinition } from '#core/mcp-server/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';
import { exactPaginationSchema } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { everybodysScope, isOffered, scopesOf, type Entitled, type RemoteTool } from '../remote-call/tool.ts';

export interface ToolCatalogue {
  readonly size: number;
  find(name: string): RemoteTool | null;
  offered(entitled: Entitled): readonly ToolDefinition[];
  /** Changes the published definition of a tool; its behaviour stays unchanged. Fails with `object_not_found`. */
  offer(name: string, definition: OtherDefinition): void;
  /** Lets a tool accept and ignore arguments that its definition does not name, as many services do. Fails with `object_not_found`. */
  takeMore(name: string): void;
}

interface OtherDefinition {
  description: string;
  argument: string;
}

interface CataloguedTool {
  tool: RemoteTool;
  definition(): ToolDefinition;
}

/** Makes each definition when it is first listed. Throws if two tools have the same name. */
export function createToolCatalogue(tools: readonly RemoteTool[]): ToolCatalogue {
  const byName = new Map(tools.map((tool) => [tool.name, strictly(tool)]));
  if (byName.size !== tools.length) throw new Error('Two tools have the same name');
  const ownTool = (name: string): RemoteTool => {
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
    offer: (name, other) => void byName.set(name, strictly(defineOtherwise(ownTool(name), other))),
    takeMore(name) {
      const tool = ownTool(name);
      const { additionalProperties: _none, ...inputSchema } = inputSchemaOf(tool.input);
      const definition = { ...definitionOf(tool), inputSchema };
      byName.set(name, { tool, definition: () => definition });
    },
  };
}

function defineOtherwise(tool: RemoteTool, { description, argument }: OtherDefinition): RemoteTool {
  return {
    ...tool,
    description,
    input: tool.input.extend({ [argument]: z.string().optional() }),
    run: (principal, { [argument]: _ignored, ...args }, context) => tool.run(principal, args, context),
  };
}

function strictly(tool: RemoteTool): CataloguedTool {
  let definition: ToolDefinition | undefined;
  return {
    tool: { ...tool, input: tool.input.strict() },
    definition: () => (definition ??= definitionOf(tool)),
  };
}

function definitionOf(tool: RemoteTool): ToolDefinition {
  const { name, title, description, input, output } = tool;
  const said = new Set<string>();
  const isPaged = Object.hasOwn(input.shape, 'offset');
  return {
    name,
    title,
    description: `${description}${needsOf(tool)}`,
    inputSchema: saidOnce(inputSchemaOf(input), said),
    outputSchema: saidOnce(outputSchemaOf(output, isPaged), said),
    annotations: annotationsOf(tool),
  };
}

function needsOf(tool: RemoteTool): string {
  const scopes = scopesOf(tool).filter((scope) => scope !== everybodysScope);
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

/** Schema keywords whose value maps names to schemas. Those names are not keywords themselves. */
const maps: ReadonlySet<string> = new Set(['properties', '$defs']);
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

function saidOnce(schema: JsonObject, said: Set<string>): JsonObject {
  const { description, ...rest } = schema;
  const isNew = typeof description === 'string' && !said.has(description);
  if (isNew) said.add(description);
  const inner = (value: JsonValue): JsonValue =>
    Array.isArray(value) ? value.map(inner) : isJsonObject(value) ? saidOnce(value, said) : value;
  const members = Object.entries(rest).map(([key, value]): [string, JsonValue] => {
    if (values.has(key)) return [key, value];
    if (!maps.has(key) || !isJsonObject(value)) return [key, inner(value)];
    return [key, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(part)]))];
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
    oneOf: [onlyWith('success', 'data'), onlyWith('error', 'error')],
  };
}

function onlyWith(status: 'success' | 'error', part: 'data' | 'error'): JsonObject {
  const other = part === 'data' ? 'error' : 'data';
  return { properties: { status: { const: status } }, required: [part], not: { required: [other] } };
}
