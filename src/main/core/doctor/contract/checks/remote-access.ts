import { reads } from '../check.ts';
import { expectStatus } from '../expect.ts';

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** Who gets in at the remote endpoint, and in what form (contract §5.3, §7.3). */
export const remoteAccessChecks = reads([
  {
    id: 'remote-access.none',
    clause: '§5.3, §7.3',
    title: 'The remote endpoint answers 401 without a token',
    needs: [],
    run: async ({ remote }) =>
      expectStatus(await remote.raw(ping, { bearer: null }), [401], 'without a token'),
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
]);
