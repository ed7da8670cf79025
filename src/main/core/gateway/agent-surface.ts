import type { Freeze, PinnedTool, RefusedAttempts, ToolPins } from '#core/agents/index.ts';
import type { Connections } from '#core/connections/index.ts';
import type { IncomingCall, McpSurface, ResourceResult, ToolDefinition } from '#core/mcp-server/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { createCredentialFinder } from '#core/platform/credentials.ts';
import type { AsyncDisposable } from '#core/platform/disposable.ts';
import type { Logger } from '#core/platform/logger.ts';
import { createRecentMap } from '#core/platform/recent-map.ts';
import type { AgentGate } from '#core/proposals/index.ts';
import type { OAuthRows } from '#core/store/oauth-rows.ts';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, objectAt } from '#shared/lib/json/json-value.ts';
import { withVerdictMember } from './answers/verdict-schema.ts';
import type { AgentPrincipal } from './agent-principal.ts';
import { createToolCaller, failedWrite } from './calls/call-tool.ts';
import { createAgentTasks, createHold } from './calls/hold.ts';
import { createFindTool } from './calls/find-campaigns.ts';
import { createAwaitTool, createNotes, createNoteTool, type OwnTool } from './calls/own-tools.ts';
import type { PreparedMemory } from './calls/prepared.ts';
import { createMirror } from './lists/mirror.ts';
import type { Formats } from '#shared/lib/formats.ts';

interface SurfaceOptions {
  connections: Pick<Connections, 'of' | 'remoteOf'>;
  gate: { agents: AgentGate };
  freeze: Pick<Freeze, 'assertThawed'>;
  pins: ToolPins;
  refusedAttempts: Pick<RefusedAttempts, 'record'>;
  prepared: PreparedMemory;
  rows: Pick<OAuthRows, 'find'>;
  clock: Clock;
  logger: Logger;
  formats(): Formats;
}

/** The tools, resources and prompts that are offered to agents (docs/agents.md). The creator disposes it. */
export interface AgentSurface extends AsyncDisposable {
  surface: McpSurface<AgentPrincipal>;
  /** Resolves when the profile's lists are read, or after a time limit; then only the pinned tools are offered. Never fails. */
  ready(profileId: string): Promise<void>;
}

/**
 * Offers everything of the profile's service, followed by Countersign's own tools. A tool of the service that has the name of
 * an own tool is neither offered nor called. `onListsChanged` is called when the lists of a profile's agents may have changed.
 */
export function createAgentSurface(
  options: SurfaceOptions,
  onListsChanged: (profileId: string) => void,
): AgentSurface {
  const { connections, gate, freeze, pins, refusedAttempts, rows, clock, logger, formats } = options;
  const mirror = createMirror({ connections, pins, clock, logger, onListsChanged });
  const hold = createHold({ gate: gate.agents, clock });
  const notes = createNotes(clock);
  const own = [
    createFindTool({ connections, pins, clock, assertThawed: () => freeze.assertThawed() }),
    createAwaitTool(hold.wait),
    createNoteTool(notes, createCredentialFinder(rows, clock)),
  ];
  const ownTools = new Map(own.map((tool) => [tool.definition.name, tool]));
  const asListed = createListed();
  const followGrant = createGrantFollower(onListsChanged);

  /** The tools whose scopes the agent has. A grant that only reads gets no tool that changes anything. */
  function toolsFor({ profileId, scopes }: AgentPrincipal): ToolDefinition[] {
    const isOpen = (needed: readonly string[]): boolean => needed.every((scope) => scopes.has(scope));
    const theirs = pins
      .offered(profileId)
      .filter((tool) => !ownTools.has(tool.name) && isOpen(scopesOf(tool)));
    return [
      ...theirs.map(asListed),
      ...own
        .filter(({ scopes: needed, isOffered }) => isOpen(needed) && isOffered?.(profileId) !== false)
        .map(({ definition }) => definition),
    ];
  }

  return {
    surface: {
      capabilities: {
        // Read when a session begins, which is after the lists of the session's profile were read.
        get completions() {
          return mirror.completesAny();
        },
      },
      admit(principal, call) {
        followGrant(principal);
        assertScopes(principal, call, { pins, ownTools, refusedAttempts }, formats());
      },
      listTools: toolsFor,
      callTool: createToolCaller(options, {
        hold: hold.call,
        notes,
        ownTools,
        countTools: (principal) => toolsFor(principal).length,
      }),
      listResources: ({ profileId }) => mirror.lists(profileId).resources,
      listResourceTemplates: ({ profileId }) => mirror.lists(profileId).templates,
      async readResource({ profileId }, uri) {
        freeze.assertThawed();
        // Unchanged, because the contents are between the service and the agent.
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

function createGrantFollower(
  onListsChanged: (profileId: string) => void,
): (principal: AgentPrincipal) => void {
  const known = createRecentMap<string, string>(maxAgents);
  return ({ key, profileId, scopes }) => {
    const now = [...scopes].toSorted().join(' ');
    const before = known.get(key);
    known.set(key, now);
    if (before !== undefined && before !== now) onListsChanged(profileId);
  };
}

const maxAgents = 500;

const noCompletion = 'The service of this profile does not complete arguments. Give each one whole.';

/** The service's definition. For a write, its output schema has one more optional member (docs/decisions/0030). */
function createListed(): (tool: PinnedTool) => ToolDefinition {
  // Cached, because every session asks after every change of a list.
  const withVerdict = new WeakMap<JsonObject, JsonObject & ToolDefinition>();
  return ({ listed: definition, treatAs }) => {
    if (treatAs !== 'write') return definition as JsonObject & ToolDefinition;
    const known = withVerdict.get(definition);
    if (known !== undefined) return known;
    const schema = definition['outputSchema'];
    const outputSchema = isJsonObject(schema) ? withVerdictMember(schema) : null;
    const mirrored = { ...definition, ...(outputSchema === null ? {} : { outputSchema }) };
    withVerdict.set(definition, mirrored as JsonObject & ToolDefinition);
    return mirrored as JsonObject & ToolDefinition;
  };
}

interface ScopeServices {
  pins: Pick<ToolPins, 'find'>;
  ownTools: ReadonlyMap<string, OwnTool>;
  refusedAttempts: Pick<RefusedAttempts, 'record'>;
}

/** Fails with `scope_missing` if the agent lacks a scope of the call. `data.scope` names held and missing scopes (RFC 6750 §3.1). */
function assertScopes(
  principal: AgentPrincipal,
  { method, params }: IncomingCall,
  { pins, ownTools, refusedAttempts }: ScopeServices,
  formats: Formats,
): void {
  const { profileId, scopes } = principal;
  const { name } = params;
  const called = method === 'tools/call' && typeof name === 'string' ? name : null;
  const own = called === null ? undefined : ownTools.get(called);
  const tool = called === null || own !== undefined ? null : pins.find(profileId, called);
  const reading = readingMethods.has(method) ? ['svc:read'] : [];
  const needed = own?.scopes ?? (tool === null ? reading : scopesOf(tool));
  if (needed.every((scope) => scopes.has(scope))) return;
  const scope = [...new Set([...scopes, ...needed])].join(' ');
  const failure = new AppError('scope_missing', { data: { scope } });
  if (tool?.treatAs === 'write') {
    const call = { name: tool.name, args: objectAt(params, 'arguments') };
    refusedAttempts.record(failedWrite(principal, call, failure, formats));
  }
  throw failure;
}

/** Methods that read the account. A list of resources also reads it, because it names campaigns. */
const readingMethods: ReadonlySet<string> = new Set([
  'resources/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
]);

const scopeOfPrepared: ReadonlyMap<string, string> = new Map([
  ['svc_prepare_upload', 'svc:upload'],
  ['svc_prepare_task', 'offline_access'],
  ['svc_prepare_task_cancel', 'offline_access'],
]);

/** Scopes of a tool by contract §5.3. A prepare also needs the read scope, because its answer contains campaign data. */
function scopesOf({ name, treatAs }: PinnedTool): readonly string[] {
  if (treatAs === 'read') return ['svc:read'];
  const scope = scopeOfPrepared.get(name);
  return [
    ...(treatAs === 'prepare' ? ['svc:read'] : []),
    'svc:write',
    ...(scope === undefined ? [] : [scope]),
  ];
}
