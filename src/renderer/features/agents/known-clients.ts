import { cursorLink, vsCodeLink } from '#shared/lib/install-links.ts';

/** One command to run or text to write, copied exactly. */
export type Recipe =
  | { kind: 'address'; text: string }
  /** Opens the client, which then asks to add Countersign. */
  | { kind: 'link'; text: string }
  | { kind: 'command'; text: string }
  /** The content of a file, to be added to existing content. */
  | { kind: 'file'; path: string; text: string };

export interface KnownClient {
  id: string;
  name: string;
  recipes: readonly Recipe[];
  note: string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** Through a bridge, for clients that start a program and know no HTTP. */
const bridged = (url: string) => ({ command: 'npx', args: ['-y', 'mcp-remote', url] });

export function knownClients(url: string): KnownClient[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      recipes: [
        { kind: 'command', text: `claude mcp add --transport http countersign ${url}` },
        {
          kind: 'file',
          path: '.mcp.json, for one project',
          text: json({ mcpServers: { countersign: { type: 'http', url } } }),
        },
      ],
      note: 'Then type /mcp in Claude Code and choose to authenticate.',
    },
    {
      id: 'codex',
      name: 'Codex',
      recipes: [
        {
          kind: 'command',
          text: `codex mcp add countersign --url ${url}\ncodex mcp login countersign`,
        },
        { kind: 'file', path: '~/.codex/config.toml', text: `[mcp_servers.countersign]\nurl = "${url}"` },
      ],
      note: 'The command writes the file; either is enough.',
    },
    {
      id: 'cursor',
      name: 'Cursor',
      recipes: [
        { kind: 'link', text: cursorLink(url) },
        { kind: 'file', path: '~/.cursor/mcp.json', text: json({ mcpServers: { countersign: { url } } }) },
      ],
      note: 'Then sign in at countersign in Cursor’s MCP settings. For one project alone, use .cursor/mcp.json in its folder. An older Cursor that is refused there connects through mcp-remote: see the last entry of this list.',
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      recipes: [
        { kind: 'link', text: vsCodeLink(url) },
        {
          kind: 'command',
          text: `code --add-mcp '${JSON.stringify({ name: 'countersign', type: 'http', url })}'`,
        },
        {
          kind: 'file',
          path: '.vscode/mcp.json',
          text: json({ servers: { countersign: { type: 'http', url } } }),
        },
      ],
      note: 'The command is for macOS and Linux and adds it for you; the file adds it to one project. VS Code asks you to sign in when it starts countersign.',
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      recipes: [
        {
          kind: 'file',
          path: 'claude_desktop_config.json',
          text: json({ mcpServers: { countersign: bridged(url) } }),
        },
      ],
      note: 'Settings, Developer, Edit Config opens the file. It needs Node.js; start Claude Desktop again afterwards.',
    },
    {
      id: 'gemini-cli',
      name: 'Gemini CLI',
      recipes: [
        { kind: 'command', text: `gemini mcp add --scope user --transport http countersign ${url}` },
        {
          kind: 'file',
          path: '~/.gemini/settings.json',
          text: json({ mcpServers: { countersign: { httpUrl: url } } }),
        },
      ],
      note: 'Then type /mcp auth countersign.',
    },
    {
      id: 'windsurf',
      name: 'Windsurf',
      recipes: [
        {
          kind: 'file',
          path: '~/.codeium/windsurf/mcp_config.json',
          text: json({ mcpServers: { countersign: { serverUrl: url } } }),
        },
      ],
      note: 'Then refresh the list of MCP servers.',
    },
    {
      id: 'zed',
      name: 'Zed',
      recipes: [
        {
          kind: 'file',
          path: '~/.config/zed/settings.json',
          text: json({ context_servers: { countersign: { url } } }),
        },
      ],
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
      recipes: [
        { kind: 'command', text: `npx -y mcp-remote ${url}` },
        {
          kind: 'file',
          path: 'its configuration',
          text: json({ mcpServers: { countersign: bridged(url) } }),
        },
      ],
      note: 'mcp-remote relays the calls; it needs Node.js. Use it too for a client that is refused because it only accepts answers at its own URL scheme, such as cursor://.',
    },
  ];
}
