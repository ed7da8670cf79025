type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxies that a terminal names, in the form that a proxy script answers: `HTTPS_PROXY`, and the hosts of `NO_PROXY` that are
 * reached without it (a name with all below it, or `*`). Lower case counts first, as in other programs. A proxy is never given
 * the user and the password that the address may carry.
 */
export function environmentProxies(environment: Environment): (origin: string) => Promise<string> {
  const read = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const proxy = proxyRule(read('HTTPS_PROXY').trim());
  const exceptions = read('NO_PROXY')
    .split(',')
    .map((host) =>
      host
        .trim()
        .toLowerCase()
        .replace(/^\*?\./, ''),
    )
    .filter((host) => host !== '');
  return async (origin) => {
    const { hostname } = new URL(origin);
    const isExcepted = exceptions.some(
      (host) => host === '*' || hostname === host || hostname.endsWith(`.${host}`),
    );
    return isExcepted ? 'DIRECT' : proxy;
  };
}

const kinds: Readonly<Record<string, string>> = { 'http:': 'PROXY', 'https:': 'HTTPS' };

/** `http://proxy.example:8080`, or without the scheme; a proxy of another protocol keeps its name, and cannot be used. */
function proxyRule(address: string): string {
  if (address === '') return 'DIRECT';
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (url === null || url.hostname === '') return 'UNREADABLE';
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return `${kinds[url.protocol] ?? 'SOCKS'} ${url.hostname}:${port}`;
}
