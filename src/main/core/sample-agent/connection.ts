import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { readAnswer, type ToolAnswer } from './answer.ts';
import { sampleAgentName, type Login } from './login.ts';

/** One session with the gateway. */
export interface Connection {
  /** The names of the tools that are offered. */
  tools(): Promise<string[]>;
  /** Calls a tool and waits as long as the gateway shows that it works on it. Fails as the connection does. */
  call(name: string, args: JsonObject): Promise<ToolAnswer>;
  /** Ends the session at the gateway too. Never fails. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  url: string;
  login: Login;
  fetch: FetchLike;
  version: string;
  /** Gives up every call. */
  signal: AbortSignal;
}

/** Without a sign of life for so long a call is given up: a little more than the gateway ever holds one. */
const patienceMs = 300_000;
/** Ending a session may take so long. */
const farewellMs = 2_000;

/** Connects, and is let in first where that is needed. Fails with `denied_by_person`, or as the login and the connection do. */
export async function connect(options: ConnectionOptions): Promise<Connection> {
  const first = open(options);
  if (await begin(first, options)) return asConnection(first, options);
  await first.transport.finishAuth(await options.login.code());
  const second = open(options);
  if (await begin(second, options)) return asConnection(second, options);
  throw new AppError('token_invalid');
}

/** False where somebody has to let the agent in first. Leaves nothing open when it fails. */
async function begin({ client, transport }: Line, { signal }: ConnectionOptions): Promise<boolean> {
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

function open({ url, login, fetch, version }: ConnectionOptions): Line {
  return {
    client: new Client({ name: 'countersign-sample-agent', title: sampleAgentName, version }),
    transport: new StreamableHTTPClientTransport(new URL(url), { authProvider: login.provider, fetch }),
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
        timeout: patienceMs,
        resetTimeoutOnProgress: true,
        // That somebody listens is what makes the gateway wait longer, and tell of it.
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
