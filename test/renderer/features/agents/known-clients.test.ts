import { expect, test } from 'vitest';
import { clientOfInstallLink } from '#shared/lib/install-links.ts';
import { knownClients } from '#renderer/features/agents/known-clients.ts';

const url = 'http://127.0.0.1:4321/mcp';
const clients = knownClients(url);
const texts = (id: string): string[] =>
  clients.find((client) => client.id === id)?.recipes.map(({ text }) => text) ?? [];

test.each(clients.flatMap(({ name, recipes }) => recipes.map((recipe) => ({ name, recipe }))))(
  '$name: the $recipe.kind contains the complete address, and a JSON file is valid JSON',
  ({ recipe }) => {
    const text = recipe.kind === 'link' ? clientOfInstallLink(recipe.text) && url : recipe.text;
    expect(text).toContain(url);
    if (recipe.kind === 'file' && !recipe.path.endsWith('.toml')) {
      expect(JSON.stringify(JSON.parse(recipe.text))).toContain(`"${url}"`);
    }
    if (recipe.kind !== 'file') expect(recipe.text).not.toMatch(/^\s|\s$/u);
  },
);

test.each([
  [
    'codex',
    [
      `codex mcp add countersign --url ${url}\ncodex mcp login countersign`,
      `[mcp_servers.countersign]\nurl = "${url}"`,
    ],
  ],
  ['other-http', [url]],
])('the instructions for %s have exactly these commands and links', (id, expected) => {
  expect(texts(id)).toEqual(expected);
});

test.each([
  ['claude-code', { mcpServers: { countersign: { type: 'http', url } } }],
  ['cursor', { mcpServers: { countersign: { url } } }],
  ['claude-desktop', { mcpServers: { countersign: { command: 'npx', args: ['-y', 'mcp-remote', url] } } }],
  ['windsurf', { mcpServers: { countersign: { serverUrl: url } } }],
  ['zed', { context_servers: { countersign: { url } } }],
])('the configuration file of %s has exactly this content', (id, expected) => {
  expect(JSON.parse(texts(id).at(-1) ?? '')).toEqual(expected);
});

test('the command for VS Code quotes its JSON, and Gemini CLI is configured for HTTP', () => {
  expect(texts('vs-code')[1]).toBe(`code --add-mcp '{"name":"countersign","type":"http","url":"${url}"}'`);
  expect(JSON.parse(texts('vs-code')[2] ?? '')).toEqual({ servers: { countersign: { type: 'http', url } } });
  expect(JSON.parse(texts('gemini-cli')[1] ?? '')).toEqual({ mcpServers: { countersign: { httpUrl: url } } });
});

test('every client has its own id, and “Other program” is last', () => {
  expect(new Set(clients.map(({ id }) => id)).size).toBe(clients.length);
  expect(clients.at(-1)?.id).toBe('other-program');
});

test('a client whose own URL scheme is refused is pointed to the last entry, which uses mcp-remote', () => {
  const noteOf = (id: string): string => clients.find((client) => client.id === id)?.note ?? '';
  expect(noteOf('cursor')).toContain('see the last entry of this list');
  expect(noteOf('other-program')).toContain('its own URL scheme, such as cursor://');
  expect(texts('other-program')[0]).toBe(`npx -y mcp-remote ${url}`);
});
