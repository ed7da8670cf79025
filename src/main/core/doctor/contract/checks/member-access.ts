import { reads } from '../check.ts';
import { requireSameOrigin } from '../doors.ts';
import { expectStatus } from '../expect.ts';

const list = '/campaigns?perPage=1';

/** Who gets in at the member endpoints (contract §5.1). */
export const memberAccessChecks = reads([
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
]);
