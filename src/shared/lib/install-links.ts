// Globals of every host that runs this code. The shared library has neither Node's types nor the browser's.
declare const btoa: (bytes: string) => string;
declare const atob: (text: string) => string;

const installLinks = {
  cursor: {
    name: 'Cursor',
    link: (url: string) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=countersign&config=${encodeURIComponent(btoa(JSON.stringify({ url })))}`,
  },
  vsCode: {
    name: 'VS Code',
    link: (url: string) =>
      `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'countersign', type: 'http', url }))}`,
  },
} as const;

export const cursorLink = installLinks.cursor.link;
export const vsCodeLink = installLinks.vsCode.link;

/** The name of the client for this link. Null unless the text is exactly such a link to an endpoint for agents. */
export function clientOfInstallLink(text: string): string | null {
  for (const { name, link } of Object.values(installLinks)) {
    const url = addressIn(text);
    if (url !== null && link(url) === text) return name;
  }
  return null;
}

function addressIn(text: string): string | null {
  const json = decoded(() => atob(decodeURIComponent(text.split('&config=', 2)[1] ?? ''))) ?? '';
  const plain = decoded(() => decodeURIComponent(text)) ?? '';
  return /http:\/\/127\.0\.0\.1:\d{1,5}\/mcp/.exec(`${json} ${plain}`)?.[0] ?? null;
}

function decoded(decode: () => string): string | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
