import type { Freeze, PinnedTool, RefusedAttempts, ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { IncomingCall, McpSurface, ResourceResult, ToolDefinition } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createCredentialFinder } from '#core/platform/credentials.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import type { AgentGate } from '#core/proposals/index.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, objectAt } from '#shared/lib/json/json-value.ts';
import { withVerdictMember } from './answers/verdict-schema.ts';
import { type AgentPrincipal, createToolCaller, failedWrite } from './calls/call-tool.ts';
import { createAgentTasks, createHold } from './calls/hold.ts';
import { createAwaitTool, createNotes, createNoteTool } from './calls/own-tools.ts';
import type { PreparedMemory } from './calls/prepared.ts';
import { createMirror } from './lists/mirror.ts';
import type { Formats } from '#shared/lib/formats.ts';

interface SurfaceOptions {
  connections: Pick<Connections, 'of'>;
  gate: { agents: AgentGate };
  freeze: Pick<Freeze, 'assertThawed'>;
  pins: ToolPins;
  refusedAttempts: Pick<RefusedAttempts, 'record'>;
  prepared: PreparedMemory;
  /** Of the tokens that agents have of this gateway. */
  rows: Pick<OAuthRows, 'find'>;
  clock: Clock;
  logger: Logger;
  formats(): Formats;
}

/** The tools, resources and prompts that agents are offered (docs/agents.md). The creator disposes it. */
export interface AgentSurface extends AsyncDisposable {
  surface: McpSurface<AgentPrincipal>;
  /** Resolves when the profile's lists are there, or when waiting is of no use: then what is pinned stands in. Never fails. */
  ready(profileId: string): Promise<void>;
}

/**
 * Offers everything of the profile's service, and after it the tools of Countersign. A tool of the service with the name
 * of one of ours is neither offered nor called. `onListsChanged` is called when the lists of a profile's agents may have
 * changed.
 */
export function createAgentSurface(
  options: SurfaceOptions,
  onListsChanged: (profileId: string) => void,
): AgentSurface {
  const { connections, gate, freeze, pins, refusedAttempts, rows, clock, logger, formats } = options;
  const mirror = createMirror({ connections, pins, clock, logger, onListsChanged });
  const hold = createHold({ gate: gate.agents, clock });
  const notes = createNotes();
  const own = [createAwaitTool(hold.wait), createNoteTool(notes, createCredentialFinder(rows, clock))];
  const ownTools = new Map(own.map((tool) => [tool.definition.name, tool]));
  const isOwn = (name: string): boolean => ownTools.has(name);
  const asListed = createListed();
  const ownDefinitions = own.map(({ definition }) => definition);

  return {
    surface: {
      capabilities: {
        // Asked as a session begins, when the lists of its own profile have been read.
        get completions() {
          return mirror.completesAny();
        },
      },
      admit: (principal, call) => assertScopes(principal, call, { pins, isOwn, refusedAttempts }, formats()),
      listTools({ profileId }) {
        const theirs = pins.offered(profileId).filter(({ name }) => !isOwn(name));
        return [...theirs.map(({ definition }) => asListed(definition)), ...ownDefinitions];
      },
      callTool: createToolCaller(options, { hold: hold.call, notes, ownTools }),
      listResources: ({ profileId }) => mirror.lists(profileId).resources,
      listResourceTemplates: ({ profileId }) => mirror.lists(profileId).templates,
      async readResource({ profileId }, uri) {
        freeze.assertThawed();
        // Unchanged: its contents are between the service and the agent.
        const result = await connections.of(profileId).remote.readResource(uri);
        return result as JsonObject & ResourceResult;
      },
      listPrompts: ({ profileId }) => mirror.lists(profileId).prompts,
      async getPrompt({ profileId }, { name, args }) {
        freeze.assertThawed();
        return connections.of(profileId).remote.getPrompt(name, args);
      },
      async complete({ profileId }, { _meta, ...params }) {
        freeze.assertThawed();
        if (!mirror.lists(profileId).completes)
          throw new AppError('object_not_found', { message: noCompletion });
        return connections.of(profileId).remote.complete(params);
      },
      tasks: createAgentTasks({ gate: gate.agents, pins }),
      sessionEnded(_principal, sessionId, how) {
        notes.forget(sessionId);
        // A client whose session was dropped starts a new session and still has its receipts.
        if (how === 'asked') gate.agents.endSession(sessionId);
      },
    },
    ready: mirror.ready,
    async dispose() {
      mirror.end();
    },
  };
}

const noCompletion = 'The service of this profile does not complete arguments. Give each one whole.';

/** The service's definition with one more member that its answers may have (docs/decisions/0030). */
function createListed(): (definition: JsonObject) => ToolDefinition {
  // Every session asks at every change of a list.
  const listed = new WeakMap<JsonObject, JsonObject & ToolDefinition>();
  return (definition) => {
    const known = listed.get(definition);
    if (known !== undefined) return known;
    const schema = definition['outputSchema'];
    const outputSchema = isJsonObject(schema) ? withVerdictMember(schema) : null;
    const mirrored = { ...definition, ...(outputSchema === null ? {} : { outputSchema }) };
    listed.set(definition, mirrored as JsonObject & ToolDefinition);
    return mirrored as JsonObject & ToolDefinition;
  };
}

interface ScopeServices {
  pins: Pick<ToolPins, 'find'>;
  isOwn(name: string): boolean;
  refusedAttempts: Pick<RefusedAttempts, 'record'>;
}

/**
 * An agent that may only read proposes nothing. Fails with `scope_missing`; `data.scope` names held and missing ones
 * (RFC 6750 §3.1).
 */
function assertScopes(
  principal: AgentPrincipal,
  { method, params }: IncomingCall,
  { pins, isOwn, refusedAttempts }: ScopeServices,
  formats: Formats,
): void {
  const { profileId, scopes } = principal;
  const { name } = params;
  const isCall = method === 'tools/call' && typeof name === 'string' && !isOwn(name);
  const tool = isCall ? pins.find(profileId, name) : null;
  const needed = tool !== null ? scopesOf(tool) : readingMethods.has(method) ? ['svc:read'] : [];
  if (needed.every((scope) => scopes.has(scope))) return;
  const scope = [...new Set([...scopes, ...needed])].join(' ');
  const failure = new AppError('scope_missing', { data: { scope } });
  if (tool?.treatAs === 'write') {
    const call = { name: tool.name, args: objectAt(params, 'arguments') };
    refusedAttempts.record(failedWrite(principal, call, failure, formats));
  }
  throw failure;
}

/** Methods that read the account: also a list of resources names its campaigns. */
const readingMethods: ReadonlySet<string> = new Set([
  'resources/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

/** Scopes of what a tool prepares beyond changes of campaigns. */
const scopeOfPrepared: ReadonlyMap<string, string> = new Map([
  ['svc_prepare_upload', 'svc:upload'],
  ['svc_prepare_task', 'offline_access'],
  ['svc_prepare_task_cancel', 'offline_access'],
]);

/** Contract §5.3, Scopes. A prepare also answers with what it has read. */
function scopesOf({ name, treatAs }: PinnedTool): readonly string[] {
  if (treatAs === 'read') return ['svc:read'];
  const scope = scopeOfPrepared.get(name);
  return [
    ...(treatAs === 'prepare' ? ['svc:read'] : []),
    'svc:write',
    ...(scope === undefined ? [] : [scope]),
  ];
}
