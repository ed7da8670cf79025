import { z } from 'zod';
import type { ToolDefinition } from '#core/mcp-server/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { exactPaginationSchema } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { everybodysScope, isOffered, scopesOf, type Entitled, type RemoteTool } from '../remote-call/tool.ts';

export interface ToolCatalogue {
  readonly size: number;
  find(name: string): RemoteTool | null;
  offered(entitled: Entitled): readonly ToolDefinition[];
  /** Defines a tool in another way from now on; it does what it did. Fails with `object_not_found`. */
  offer(name: string, definition: OtherDefinition): void;
  /** Lets a tool take arguments that it does not name, and ignore them, as tools of many services do. Fails with `object_not_found`. */
  takeMore(name: string): void;
}

interface OtherDefinition {
  description: string;
  /** An argument more, any text, which may be left out and changes nothing. */
  argument: string;
}

interface CataloguedTool {
  tool: RemoteTool;
  definition(): ToolDefinition;
}

/** Makes each definition once, when it is first listed. A name that is there twice is a bug. */
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
  return {
    name,
    title,
    description: `${description}${needsOf(tool)}`,
    inputSchema: inputSchemaOf(input),
    outputSchema: outputSchemaOf(output),
    annotations: annotationsOf(tool),
  };
}

function needsOf(tool: RemoteTool): string {
  const scopes = scopesOf(tool).filter((scope) => scope !== everybodysScope);
  return scopes.length === 0 ? '' : ` Needs ${scopes.join(' and ')}.`;
}

/** The hints of each kind of tool. A prepare keeps an approval, so it is no mere read; a commit repeats under its key. */
const hintsOfKind: Readonly<Record<RemoteTool['kind'], JsonObject>> = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  prepare: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  commit: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
};

function annotationsOf({ title, kind, annotations }: RemoteTool): JsonObject {
  return { title, ...hintsOfKind[kind], ...annotations, openWorldHint: false };
}

const errorSchema = z.strictObject({
  code: z.string().describe('A stable word for programs.'),
  message: z.string(),
  next: z.string().describe('What to do next.'),
  statusCode: z.int().describe('The HTTP status of contract §7.3.'),
  errors: z
    .array(z.strictObject({ field: z.string(), code: z.string(), message: z.string() }))
    .optional()
    .describe('Every argument or field that fails.'),
});

function inputSchemaOf(input: z.ZodObject): JsonObject {
  return { ...jsonSchemaOf(input.strict(), 'input'), additionalProperties: false };
}

/** `{status: 'success', data, sourcePagination?}` or `{status: 'error', error}`: clients check every answer against it. */
function outputSchemaOf(data: z.ZodType): JsonObject {
  const envelope = z.strictObject({
    status: z.enum(['success', 'error']),
    data: data.optional(),
    sourcePagination: exactPaginationSchema.strict().optional(),
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

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => leaveOutNoise(jsonSchema),
  });
  return json as JsonObject;
}

/** Removes constraints that every JSON value here meets, or that a shorter keyword states: they would only cost an agent's attention. */
function leaveOutNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format === 'date') delete schema.pattern;
  if (isAnyText(schema.propertyNames)) delete schema.propertyNames;
}

function isAnyText(schema: unknown): boolean {
  return JSON.stringify(schema) === '{"type":"string"}';
}
