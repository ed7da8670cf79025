/** A page's requests, as a browser would send them from an origin. */
export interface PageClient {
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Answer }>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

/** The secret of the showing that a page of the confirmation goes on with. */
export interface Session {
  secret: string;
  showingId: string;
  nonce: string;
}

/** Possible members of an answer; a test looks at those it expects. */
export interface Answer {
  secret?: string;
  showing?: { showingId: string; nonce: string; fingerprint: string };
  output?: unknown;
  session?: Session | null;
  error?: { code: string; message: string; fields: { field: string }[] };
  code?: string;
}

/** The origin and the ticket of an address that was printed. */
export function readAddress(address: string): { origin: string; ticket: string } {
  const { origin, hash } = new URL(address);
  return { origin, ticket: new URLSearchParams(hash.slice(1)).get('ticket') ?? '' };
}

/** A page that stands on `from` and asks `origin`; the secret, when it has one, travels as its header. */
export function page(origin: string, secret?: string, from: string = origin): PageClient {
  const own = secret === undefined ? {} : { 'x-countersign-secret': secret };
  return {
    async post(path, body, headers = {}) {
      const response = await fetch(origin + path, {
        method: 'POST',
        headers: { origin: from, 'content-type': 'application/json', ...own, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status: response.status, body: (await response.json()) as Answer };
    },
    get: (path, headers = {}) => fetch(origin + path, { headers: { ...own, ...headers } }),
  };
}
