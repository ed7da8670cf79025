import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';

/**
 * A fetch that uses every refresh token once: whoever comes with the same one while or after it is used gets the same answer.
 * The SDK refreshes for each connection by itself, and the second use of a token would end the grant.
 */
export function fetchWithOneRefresh(send: FetchLike): FetchLike {
  const used = new Map<string, Promise<Response>>();
  return async (url, init) => {
    const refreshToken = refreshTokenOf(init?.body);
    if (refreshToken === null) return send(url, init);
    const answer = used.get(refreshToken) ?? send(url, init);
    used.set(refreshToken, answer);
    return (await answer).clone();
  };
}

function refreshTokenOf(body: unknown): string | null {
  if (!(body instanceof URLSearchParams) || body.get('grant_type') !== 'refresh_token') return null;
  return body.get('refresh_token');
}
