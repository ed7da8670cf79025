import { cursorLink, vsCodeLink } from '#shared/lib/install-links.ts';

export type Recipe =
  | { kind: 'address'; text: string }
  | { kind: 'link'; text: string }
  | { kind: 'command'; text: string }
  | { kind: 'file'; path: string; text: string };

export interface KnownClient {
  id: string;
  name: string;
  recipes: readonly Recipe[];
  note: string;
}

const command = (text: string): Recipe => ({ kind: 'command', text });

const jsonFile = (path: string, content: object): Recipe => ({
  kind: 'file',
  path,
  text: JSON.stringify(content, null, 2),
});

export function knownClients(url: string): KnownClient[] {
  const bridged = { mcpServers: { countersign: { command: 'npx', args: ['-y', 'mcp-remote', url] } } };
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      recipes: [
        command(`claude mcp add --transport http countersign ${url}`),
        jsonFile('.mcp.json, for one project', { mcpServers: { countersign: { type: 'http', url } } }),
      ],
      note: 'Then type /mcp in Claude Code and choose to authenticate.',
    },
    {
      id: 'codex',
      name: 'Codex',
      recipes: [
        command(`codex mcp add countersign --url ${url}\ncodex mcp login countersign`),
        { kind: 'file', path: '~/.codex/config.toml', text: `[mcp_servers.countersign]\nurl = "${url}"` },
      ],
      note: 'The command writes the file; either is enough.',
    },
    {
      id: 'cursor',
      name: 'Cursor',
      recipes: [
        { kind: 'link', text: cursorLink(url) },
        jsonFile('~/.cursor/mcp.json', { mcpServers: { countersign: { url } } }),
      ],
      note: 'Then sign in at countersign in Cursor’s MCP settings. For one project alone, use .cursor/mcp.json in its folder. An older Cursor that is refused there connects through mcp-remote: see the last entry of this list.',
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      recipes: [
        { kind: 'link', text: vsCodeLink(url) },
        command(`code --add-mcp '${JSON.stringify({ name: 'countersign', type: 'http', url })}'`),
        jsonFile('.vscode/mcp.json', { servers: { countersign: { type: 'http', url } } }),
      ],
      note: 'The command is for macOS and Linux and adds it for you; the file adds it to one project. VS Code asks you to sign in when it starts countersign.',
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      recipes: [jsonFile('claude_desktop_config.json', bridged)],
      note: 'Settings, Developer, Edit Config opens the file. It needs Node.js; start Claude Desktop again afterwards.',
    },
    {
      id: 'gemini-cli',
      name: 'Gemini CLI',
      recipes: [
        command(`gemini mcp add --scope user --transport http countersign ${url}`),
        jsonFile('~/.gemini/settings.json', { mcpServers: { countersign: { httpUrl: url } } }),
      ],
      note: 'Then type /mcp auth countersign.',
    },
    {
      id: 'windsurf',
      name: 'Windsurf',
      recipes: [
        jsonFile('~/.codeium/windsurf/mcp_config.json', { mcpServers: { countersign: { serverUrl: url } } }),
      ],
      note: 'Then refresh the list of MCP servers.',
    },
    {
      id: 'zed',
      name: 'Zed',
      recipes: [jsonFile('~/.config/zed/settings.json', { context_servers: { countersign: { url } } })],
      note: 'Zed asks you to sign in when it connects.',
    },
    {
      id: 'other-http',
      name: 'Any other client that supports HTTP',
      recipes: [{ kind: 'address', text: url }],
      note: 'Streamable HTTP with OAuth; it registers itself, and the app asks you to allow it.',
    },
    {
      id: 'other-program',
      name: 'Any other client that runs a command',
      recipes: [command(`npx -y mcp-remote ${url}`), jsonFile('its configuration', bridged)],
      note: 'mcp-remote relays the calls; it needs Node.js. Use it too for a client that is refused because it only accepts answers at its own URL scheme, such as cursor://.',
    },
  ];
}
