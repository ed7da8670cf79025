import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import type { ProposalView } from '#shared/app-api/index.ts';
import type { World, WorldOptions } from '#test/core/proposals/world.ts';
import { findCampaign } from '#test/core/proposals/world.ts';
import { untilFound } from '#test/setup/eventually.ts';
import { openEndpointWorld, type EndpointWorld } from '../endpoint/endpoint-world.ts';

/** An admitted agent, with the real gate and the embedded service. */
export interface AdmittedAgent {
  transport: StreamableHTTPClientTransport;
  client: Client;
  call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<CallToolResult>;
  /** Prepares a new name for a campaign. Returns the arguments of the commit. */
  prepare(cid: number, key: string): Promise<Record<string, unknown>>;
}

/** Connects the SDK's own client, which checks answers against the schemas of their tools. */
export async function connect({ url }: EndpointWorld, token: string): Promise<AdmittedAgent> {
  const client = new Client({ name: 'agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  // From here on, the client checks structured answers against the listed schemas.
  await client.listTools();
  onTestFinished(() => client.close());
  const call: AdmittedAgent['call'] = async (name, args, signal) =>
    (await client.callTool(
      { name, arguments: args },
      undefined,
      signal === undefined ? {} : { signal },
    )) as CallToolResult;
  return {
    transport,
    client,
    call,
    async prepare(cid, idempotencyKey) {
      const { structuredContent } = await call('svc_prepare_campaign_update', {
        cid,
        changes: { name: 'Other' },
      });
      const { data } = structuredContent as {
        data: { approval: { id: string; fingerprint: string }; payload: unknown };
      };
      const { id: approvalId, fingerprint } = data.approval;
      return { approvalId, fingerprint, payload: data.payload, idempotencyKey };
    },
  };
}

/** Opens an endpoint with an agent that a person has admitted. */
export async function openWithAgent(options: WorldOptions = {}): Promise<{
  endpointWorld: EndpointWorld;
  world: World;
  agent: AdmittedAgent;
  token: string;
  clientId: string;
  cid: number;
}> {
  const endpointWorld = await openEndpointWorld(options);
  const { clientId, tokens } = await endpointWorld.enter();
  const agent = await connect(endpointWorld, tokens.access_token);
  const { cid } = await findCampaign(endpointWorld.world, ({ status }) => status === 1);
  return { endpointWorld, world: endpointWorld.world, agent, token: tokens.access_token, clientId, cid };
}

export const textOf = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** The waiting or past proposals of agents, newest first. */
export async function proposals({ core }: World, which: 'waiting' | 'past'): Promise<ProposalView[]> {
  const { items } = await core.handlers['proposals.list']({ which, before: null, limit: 50 });
  const calls = items.filter(({ operation }) => operation === 'tool.call');
  return Promise.all(calls.map(({ id }) => core.handlers['proposals.get']({ id })));
}

/** Resolves with the newest proposal of the list, once there is one. */
export async function newest(world: World, which: 'waiting' | 'past'): Promise<ProposalView> {
  return untilFound(async () => (await proposals(world, which))[0]);
}

export const waiting = (world: World): Promise<ProposalView> => newest(world, 'waiting');
