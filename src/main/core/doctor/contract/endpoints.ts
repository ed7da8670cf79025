import type { ServiceAddresses } from '#shared/app-api/index.ts';
import type { Answer, Ask } from './ask.ts';
import { NotChecked } from './outcome.ts';

/** The member endpoints, by reads. `bearer` stands in for the member token; null sends none. */
export interface MemberReads {
  get(path: string, options?: { bearer?: string | null }): Promise<Answer>;
}

/** The publisher reports. `token` stands in for the key; null sends none. */
export interface PublisherReads {
  get(
    path: string,
    query: Record<string, string>,
    options?: { token?: string | null; bearer?: string },
  ): Promise<Answer>;
}

/** Requests without credentials, by full address. */
export interface OpenReads {
  get(url: string): Promise<Answer>;
}

const campaigns = '/login/campaigns';

export function createMemberReads(
  ask: Ask,
  { baseUrl }: Pick<ServiceAddresses, 'baseUrl'>,
  token: string | null,
): MemberReads {
  return {
    get: (path, { bearer = token } = {}) =>
      ask({ method: 'GET', url: `${baseUrl}${campaigns}${path}`, headers: headersOf(bearer) }),
  };
}

export function createPublisherReads(
  ask: Ask,
  { apiUrl }: Pick<ServiceAddresses, 'apiUrl'>,
  key: string | null,
): PublisherReads {
  return {
    get(path, query, { token = key, bearer } = {}) {
      const search = new URLSearchParams(token === null ? query : { token, ...query });
      return ask({
        method: 'GET',
        url: `${apiUrl}${path}?${search.toString()}`,
        headers: headersOf(bearer ?? null),
      });
    },
  };
}

export function createOpenReads(ask: Ask): OpenReads {
  return { get: (url) => ask({ method: 'GET', url, headers: headersOf(null) }) };
}

/** A credential goes to the host it is for and to no other, not even to be refused there. */
export function requireSameOrigin(left: string, right: string, credential: string): void {
  if (new URL(left).origin === new URL(right).origin) return;
  throw new NotChecked(`The ${credential} is not sent to another host than its own.`);
}

function headersOf(bearer: string | null): Record<string, string> {
  return { accept: 'application/json', ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) };
}
