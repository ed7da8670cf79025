import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { openAndWait } from './waiting-browser.ts';

/** State that an agent keeps between its runs. */
export interface AgentMemory {
  client?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
}

/** Options of a single call. */
export interface AgentCallOptions {
  signal?: AbortSignal;
  onProgress?(progress: Progress): void;
}

/** A real MCP client on the SDK, as an agent's program uses it. */
export interface TestAgent {
  client: Client;
  call(name: string, args: Record<string, unknown>, options?: AgentCallOptions): Promise<CallToolResult>;
  /** Prepares a change of one campaign and commits it; resolves with the answer to the commit. */
  change(cid: number, changes: Record<string, unknown>, options?: AgentCallOptions): Promise<CallToolResult>;
  /** Prepares a change of status and commits it. */
  setStatus(ids: readonly number[], status: string): Promise<CallToolResult>;
  /** Resolves with the answer to a call once a person has decided. Repeats the call as often as the server requires. */
  whenDecided(call: Promise<CallToolResult>): Promise<CallToolResult>;
  /** Ends as a program normally does: ends its session first. */
  leave(): Promise<void>;
  /** Ends at once without ending its session. */
  vanish(): Promise<void>;
}

/** An agent that requests access. */
export interface ComingAgent {
  /** The text of the page on which its browser waits. */
  page: Promise<string>;
  /** The agent once it is admitted. */
  agent: Promise<TestAgent>;
}

const redirectUrl = 'http://127.0.0.1:1/callback';

/** Options of an agent's connection. */
export interface AgentOptions {
  name?: string;
  memory?: AgentMemory;
  /** Ends the agent's browser and closes its connection. */
  signal: AbortSignal;
}

/** Connects an agent to the address. Without a stored grant it requests access, and its browser waits. */
export function startAgent(
  address: string,
  { name = 'Test agent', memory = {}, signal }: AgentOptions,
): ComingAgent {
  const page = Promise.withResolvers<string>();
  page.promise.catch(() => {});
  const grant = createGrant(name, memory, async (asked) => {
    const browser = openAndWait(asked, redirectUrl, signal);
    browser.page.then(page.resolve, page.reject);
    return (await browser.end).searchParams.get('code') ?? '';
  });
  return { page: page.promise, agent: unheard(enter(address, { name, grant, signal })) };
}

interface Grant {
  provider: OAuthClientProvider;
  code(): Promise<string>;
}

function createGrant(name: string, memory: AgentMemory, authorize: (asked: URL) => Promise<string>): Grant {
  let verifier = '';
  let code: Promise<string> = Promise.resolve('');
  return {
    code: () => code,
    provider: {
      redirectUrl,
      clientMetadata: {
        client_name: name,
        redirect_uris: [redirectUrl],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'svc:read svc:write svc:upload offline_access',
      },
      clientInformation: () => memory.client,
      saveClientInformation: (client) => void (memory.client = client),
      tokens: () => memory.tokens,
      saveTokens: (tokens) => void (memory.tokens = tokens),
      saveCodeVerifier: (text) => void (verifier = text),
      codeVerifier: () => verifier,
      redirectToAuthorization(asked) {
        code = authorize(asked);
        code.catch(() => {});
      },
    },
  };
}

async function enter(
  address: string,
  { name, grant, signal }: { name: string; grant: Grant; signal: AbortSignal },
): Promise<TestAgent> {
  const transportOf = () =>
    new StreamableHTTPClientTransport(new URL(address), { authProvider: grant.provider });
  let client = new Client({ name, version: '1' });
  let transport = transportOf();
  try {
    await client.connect(transport);
  } catch (failure) {
    if (!(failure instanceof UnauthorizedError)) throw failure;
    await transport.finishAuth(await grant.code());
    transport = transportOf();
    client = new Client({ name, version: '1' });
    await client.connect(transport);
  }
  const vanish = (): Promise<void> => client.close();
  signal.addEventListener('abort', () => void vanish());
  return agentOf(client, {
    vanish,
    async leave() {
      await transport.terminateSession();
      await client.close();
    },
  });
}

function agentOf(client: Client, ways: Pick<TestAgent, 'leave' | 'vanish'>): TestAgent {
  const call: TestAgent['call'] = async (name, args, { signal, onProgress } = {}) =>
    (await client.callTool({ name, arguments: args }, undefined, {
      timeout: 300_000,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    })) as CallToolResult;

  async function commit(prepared: CallToolResult, options: AgentCallOptions = {}): Promise<CallToolResult> {
    if (prepared.isError === true) throw new Error(`Nothing was prepared: ${textOf(prepared)}`);
    const { data } = prepared.structuredContent as {
      data: { approval: { id: string; fingerprint: string }; payload: unknown };
    };
    const args = {
      approvalId: data.approval.id,
      fingerprint: data.approval.fingerprint,
      payload: data.payload,
      idempotencyKey: `key-${data.approval.id}`,
    };
    return call('svc_commit', args, options);
  }

  return {
    client,
    call: (name, args, options) => unheard(call(name, args, options)),
    change: (cid, changes, options) =>
      unheard(
        call('svc_prepare_campaign_update', { cid, changes }).then((prepared) => commit(prepared, options)),
      ),
    setStatus: (ids, status) =>
      unheard(call('svc_prepare_campaign_status', { ids, status }).then((prepared) => commit(prepared))),
    async whenDecided(first) {
      let answer = await first;
      for (let id = waitingId(answer); id !== null; id = waitingId(answer)) {
        answer = await call('countersign_await', { proposalId: id });
      }
      return answer;
    },
    ...ways,
  };
}

/** Returns the proposal id of an answer that only says that a person must decide; null for any other answer. */
function waitingId({ _meta }: CallToolResult): string | null {
  const verdict = _meta?.['countersign/verdict'] as { proposalId: string; code: string } | undefined;
  return verdict?.code === 'waiting_for_person' ? verdict.proposalId : null;
}

/** Ignores a later failure of a call that is no longer awaited, because its agent is gone or its test has ended. */
function unheard<T>(call: Promise<T>): Promise<T> {
  call.catch(() => {});
  return call;
}

/** Returns all text of an answer. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
