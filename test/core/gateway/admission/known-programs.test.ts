import { expect, test } from 'vitest';
import { cursorUris } from '#test/core/oauth-server/addresses.ts';
import { allScopes, openEndpointWorld } from '../endpoint/endpoint-world.ts';

const codeAndRefresh = ['authorization_code', 'refresh_token'];
const publicClient = { response_types: ['code'], token_endpoint_auth_method: 'none' };

/** The registration that a program sends to the gateway, and its redirect addresses that the gateway keeps. */
interface Program {
  body: { redirect_uris: string[]; [field: string]: unknown };
  kept?: string[];
  /** The redirect address of its request for access. */
  asks: string[];
}

const programs: Record<string, Program> = {
  'Claude Code': {
    body: {
      client_name: 'Claude Code (countersign)',
      redirect_uris: ['http://localhost:3118/callback'],
      grant_types: codeAndRefresh,
      ...publicClient,
      application_type: 'native',
    },
    asks: ['http://localhost:3118/callback', 'http://localhost:50123/callback'],
  },
  Codex: {
    body: {
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1:37819/callback/6MFBM1In3Ey-'],
      grant_types: codeAndRefresh,
      ...publicClient,
      application_type: 'native',
    },
    asks: ['http://127.0.0.1:37819/callback/6MFBM1In3Ey-'],
  },
  Cursor: {
    body: {
      client_name: 'Cursor',
      redirect_uris: cursorUris,
      grant_types: codeAndRefresh,
      ...publicClient,
    },
    kept: ['http://localhost:8787/callback', 'https://www.cursor.com/agents/mcp/oauth/callback'],
    asks: ['http://localhost:8787/callback'],
  },
  'VS Code': {
    body: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: codeAndRefresh,
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      scope: allScopes,
      ...publicClient,
      application_type: 'native',
    },
    // The last address is for a program whose usual port is taken.
    asks: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect', 'http://127.0.0.1:59656/'],
  },
  'VS Code 1.112': {
    body: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: [...codeAndRefresh, 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://localhost/',
        'http://127.0.0.1/',
        'http://localhost:33418/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'svc:read',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    asks: ['http://127.0.0.1:33418/', 'http://localhost:59656/'],
  },
  'A program of a company network': {
    body: {
      client_name: 'Desk assistant',
      redirect_uris: ['http://127.0.0.1:41000/callback'],
      grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer', ...codeAndRefresh],
      response_types: ['code', 'id_token'],
      token_endpoint_auth_method: 'none',
      scope: 'openid offline_access svc:read',
    },
    asks: ['http://127.0.0.1:41000/callback'],
  },
  'mcp-remote': {
    body: {
      client_name: 'MCP CLI Proxy',
      client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
      redirect_uris: ['http://localhost:3334/oauth/callback'],
      grant_types: codeAndRefresh,
      ...publicClient,
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.1.38',
    },
    asks: ['http://localhost:3334/oauth/callback'],
  },
  'MCP Inspector': {
    body: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      redirect_uris: ['http://localhost:6274/oauth/callback'],
      grant_types: codeAndRefresh,
      ...publicClient,
      scope: '',
    },
    asks: ['http://localhost:6274/oauth/callback'],
  },
  'Gemini CLI': {
    body: {
      client_name: 'Gemini CLI MCP Client',
      redirect_uris: ['http://localhost:7777/oauth/callback'],
      grant_types: codeAndRefresh,
      ...publicClient,
      scope: '',
    },
    asks: ['http://localhost:7777/oauth/callback'],
  },
  Zed: {
    body: {
      client_name: 'Zed',
      redirect_uris: ['http://127.0.0.1:27523/callback'],
      grant_types: codeAndRefresh,
      ...publicClient,
      scope: allScopes,
    },
    asks: ['http://127.0.0.1:27523/callback'],
  },
};

test('every known program can register as it really does, gets the registered values back, and can request admission', async () => {
  const { client } = await openEndpointWorld({ campaigns: 1 });
  for (const [name, { body, kept = body.redirect_uris, asks }] of Object.entries(programs)) {
    const answer = await client.register(body);
    const registered = (await answer.json()) as { client_id: string };
    expect({ name, status: answer.status, ...registered }).toMatchObject({
      name,
      status: 201,
      redirect_uris: kept,
      grant_types: codeAndRefresh,
      ...publicClient,
    });
    for (const uri of asks) {
      const asked = await client.authorize(registered.client_id, { redirect_uri: uri, scope: allScopes });
      const waits = expect.stringMatching(/^\/interaction\//) as string;
      expect([name, uri, asked.status, asked.headers.get('location')]).toEqual([name, uri, 303, waits]);
    }
  }
});
