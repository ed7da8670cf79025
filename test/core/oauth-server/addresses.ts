/** Redirect URIs that the server must refuse for every client. */
export const badAddresses: readonly string[] = [
  '',
  'not an address',
  '/callback',
  'http://evil.example/callback',
  'http://localhost.evil.example/callback',
  'http://127.0.0.1.evil.example/callback',
  'http://127.0.0.2/callback',
  'http://127.1/callback',
  'http://2130706433/callback',
  'http://0.0.0.0/callback',
  'http://localhost:99999/callback',
  'https://user:secret@example.com/callback',
  'http://localhost@evil.example/callback',
  'https://client.example/callback#part',
  'https://client.example/callback#',
  'https://*.client.example/callback',
  'https://client.example/*',
  'https://client.example/call back',
  'https://client.example\\@evil.example/',
  'https:client.example/callback',
  'https:///callback',
  'https://ünïcode.example/callback',
  'javascript:alert(1)',
  'data:text/html,x',
  'myapp://callback',
  `https://client.example/${'x'.repeat(1024)}`,
];

/** The redirect URIs that Cursor registers in a single request. One of them has a private-use scheme. */
export const cursorUris = [
  'http://localhost:8787/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
];
