import { expectStatus, expectSuccess } from '../expect.ts';
import { reads } from '../check.ts';

/** `/health` and `/ready` (contract §4.3). How they word it is the service's own choice. */
export const healthChecks = reads([
  {
    id: 'health.alive',
    clause: '§4.3',
    title: '/health answers without credentials',
    needs: [],
    run: async ({ open, addresses }) => expectSuccess(await open.get(`${addresses.mcpUrl}/health`), null),
  },
  {
    id: 'health.ready',
    clause: '§4.3, §7.3',
    title: '/ready answers 200, or 503 while something is missing',
    needs: [],
    async run({ open, addresses }) {
      const answer = await open.get(`${addresses.mcpUrl}/ready`);
      if (answer.status !== 503) expectStatus(answer, [200], 'or 503 as readiness');
    },
  },
]);
