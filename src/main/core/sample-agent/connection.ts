import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AppError } from '#shared/errors/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#shared/lib/json/json-value.ts';

/** One session with the gateway. */
export interface Connection {
  /** The names of the tools that are offered. */
  tools(): Promise<string[]>;
  /** Calls a tool and waits as long as the gateway shows that it works on it. Fails as the connection does. */
  call(name: string, args: JsonObject): Promise<ToolAnswer>;
  /** Ends the session at the gateway too. Never fails. */
  close(): Promise<void>;
}

interface ConnectionOptions {
  url: string;
  /** The agent's name for itself. */
  name: string;
  /** `code` resolves with the code of the authorization. */
  login: { provider: OAuthClientProvider; code(): Promise<string> };
  fetch: FetchLike;
  version: string;
  /** Gives up every call. */
  signal: AbortSignal;
}

/** Without a sign of life for so long a call is given up: a little more than the gateway ever holds one. */
const requestTimeoutMs = 300_000;
/** Ending a session may take so long. */
const farewellMs = 2_000;

/** Connects, and requests access first if needed. Fails with `denied_by_person`, or as the login and the connection do. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const sdk = await loadSdk();
  const first = open(sdk, options);
  if (await begin(sdk, first, options)) return asConnection(first, options);
  await first.transport.finishAuth(await options.login.code());
  const second = open(sdk, options);
  if (await begin(sdk, second, options)) return asConnection(second, options);
  throw new AppError('token_invalid');
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

/** Loads the SDK's client with the first connection: no start of the core waits for it. */
async function loadSdk() {
  const [auth, client, http] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/auth.js'),
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
  ]);
  return { ...auth, ...client, ...http };
}

/** False if the agent has to be admitted first. Leaves nothing open when it fails. */
async function begin(
  { UnauthorizedError }: Sdk,
  { client, transport }: Line,
  { signal }: ConnectionOptions,
): Promise<boolean> {
  try {
    await client.connect(transport, { signal });
    return true;
  } catch (failure) {
    await client.close();
    if (failure instanceof UnauthorizedError) return false;
    throw failure;
  }
}

interface Line {
  client: Client;
  transport: StreamableHTTPClientTransport;
}

function open(
  { Client: SdkClient, StreamableHTTPClientTransport: Transport }: Sdk,
  { url, name, login, fetch, version }: ConnectionOptions,
): Line {
  return {
    client: new SdkClient({ name: 'countersign-sample-agent', title: name, version }),
    transport: new Transport(new URL(url), { authProvider: login.provider, fetch }),
  };
}

function asConnection({ client, transport }: Line, { signal }: ConnectionOptions): Connection {
  return {
    async tools() {
      const { tools } = await client.listTools(undefined, { signal });
      return tools.map(({ name }) => name);
    },
    async call(name, args) {
      const result = await client.callTool({ name, arguments: args }, undefined, {
        signal,
        timeout: requestTimeoutMs,
        resetTimeoutOnProgress: true,
        // With a listener for progress the gateway waits longer, and reports progress.
        onprogress: () => {},
      });
      return readAnswer(result as JsonObject);
    },
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, farewellMs).unref());
      await Promise.race([transport.terminateSession().catch(() => {}), late]);
      await client.close().catch(() => {});
    },
  };
}

/** The outcome of one call, as an agent understands it. */
export type ToolAnswer =
  | { kind: 'done'; data: JsonValue }
  /** Awaits the user's decision; ask again with `countersign_await`. */
  | { kind: 'waiting'; proposalId: string }
  /** Denied by a person, `reason` where one was given. */
  | { kind: 'denied'; reason: string | null }
  /** Approved and sent, and stored in another way. */
  | { kind: 'differs' }
  | { kind: 'refused'; code: string; message: string };

const verdictKey = 'countersign/verdict';

/** Reads the result of `tools/call`. */
function readAnswer(result: JsonObject): ToolAnswer {
  const structured = objectAt(result, 'structuredContent');
  if (result['isError'] !== true) return { kind: 'done', data: structured['data'] ?? null };
  const error = objectAt(structured, 'error');
  const verdict = objectAt(objectAt(result, '_meta'), verdictKey);
  const code = textAt(error, 'code') ?? textAt(verdict, 'code') ?? '';
  const proposalId = textAt(verdict, 'proposalId') ?? textAt(error, 'proposalId');
  if (code === 'waiting_for_person' && proposalId !== null) return { kind: 'waiting', proposalId };
  if (textAt(verdict, 'state') === 'differs') return { kind: 'differs' };
  if (code === 'denied_by_person') return { kind: 'denied', reason: textAt(verdict, 'reason') };
  return { kind: 'refused', code, message: textAt(error, 'message') ?? firstText(result) };
}

function objectAt(value: JsonObject, key: string): JsonObject {
  const found = value[key];
  return isJsonObject(found) ? found : {};
}

function textAt(value: JsonObject, key: string): string | null {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : null;
}

function firstText({ content }: JsonObject): string {
  const parts = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return parts.map((part) => textAt(part, 'text')).find((text) => text !== null) ?? '';
}
