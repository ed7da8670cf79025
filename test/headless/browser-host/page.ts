/** Requests of a page, as a browser sends them from an origin. */
export interface PageClient {
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: Answer }>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

/** The secret of the confirmation with which its page continues. */
export interface Session {
  secret: string;
  displayId: string;
  nonce: string;
}

/** Possible members of an answer; a test checks those that it expects. */
export interface Answer {
  secret?: string;
  display?: { displayId: string; nonce: string; fingerprint: string };
  output?: unknown;
  session?: Session | null;
  error?: { code: string; message: string; fields: { field: string }[] };
  code?: string;
}

/** Returns the origin and the ticket of a printed address. */
export function readAddress(address: string): { origin: string; ticket: string } {
  const { origin, hash } = new URL(address);
  return { origin, ticket: new URLSearchParams(hash.slice(1)).get('ticket') ?? '' };
}

/** A page on `from` that sends requests to `origin`. If it has a secret, requests carry the secret in its header. */
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
