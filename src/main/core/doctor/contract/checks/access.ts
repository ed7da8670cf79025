import { type ContractCheck } from '../check.ts';
import { requireSameOrigin } from '../ask.ts';
import { drift, expectStatus, shown } from '../expect.ts';
import { NotChecked } from '../outcome.ts';

const list = '/campaigns?perPage=1';

/** Access to the member endpoints (contract §5.1). */
export const memberAccessChecks: readonly ContractCheck[] = [
  {
    id: 'member-access.none',
    clause: '§5.1, §7.1',
    title: 'The member endpoints answer 401 without a token',
    needs: [],
    run: async ({ member }) =>
      expectStatus(await member.get(list, { bearer: null }), [401], 'without a token'),
  },
  {
    id: 'member-access.nonsense',
    clause: '§5.1, §7.1',
    title: 'The member endpoints answer 401 to a token that is none',
    needs: [],
    run: async ({ member }) =>
      expectStatus(await member.get(list, { bearer: 'not-a-token' }), [401], 'to a token that is none'),
  },
  {
    id: 'member-access.publisher-key',
    clause: '§5.1',
    title: 'The member endpoints take no publisher key',
    needs: ['publisher'],
    async run({ member, addresses, credentials }) {
      requireSameOrigin(addresses.baseUrl, addresses.apiUrl, 'publisher key');
      const answer = await member.get(list, { bearer: credentials.publisherKey });
      expectStatus(answer, [401, 403], 'to a publisher key');
    },
  },
];

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** Access to the remote endpoint, and the form of its requests (contract §5.3, §7.3). */
export const remoteAccessChecks: readonly ContractCheck[] = [
  {
    id: 'remote-access.none',
    clause: '§5.3, §7.3',
    title: 'The remote endpoint answers 401 without a token',
    needs: [],
    run: async ({ remote }) =>
      expectStatus(await remote.raw(ping, { bearer: null }), [401], 'without a token'),
  },
  {
    id: 'remote-access.challenge',
    clause: '§5.3, RFC 9728 §5.1',
    title: 'The 401 of the remote endpoint says in WWW-Authenticate where its metadata is',
    needs: [],
    async run({ remote }, formats) {
      const { status, headers } = await remote.raw(ping, { bearer: null });
      if (status !== 401) throw new NotChecked('The remote endpoint does not answer 401.');
      const challenge = headers.get('www-authenticate');
      if (challenge === null) drift('WWW-Authenticate, by which clients find the sign-in', 'nothing');
      if (!/^bearer\b.*\bresource_metadata="/i.test(challenge)) {
        drift('Bearer with resource_metadata in WWW-Authenticate', shown(challenge, formats));
      }
    },
  },
  {
    id: 'remote-access.nonsense',
    clause: '§5.3, §7.3',
    title: 'The remote endpoint answers 401 to a token that is none',
    needs: [],
    run: async ({ remote }) =>
      expectStatus(await remote.raw(ping, { bearer: 'not-a-token' }), [401], 'to a token that is none'),
  },
  {
    id: 'remote-access.protocol',
    clause: '§7.3',
    title: 'The remote endpoint answers 400 to what is no message of the protocol',
    needs: ['remote'],
    run: async ({ remote }) =>
      expectStatus(await remote.raw('{"jsonrpc":"2.0"', {}), [400], 'to half a message'),
  },
];
