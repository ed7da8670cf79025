import { startBackend } from '#test/core/backend/open-backend.ts';

const campaigns = 100_000;
const timesEach = 50;

/** Each query has several spellings, so that no round can be answered with the previous answer. */
const questions: Readonly<Record<string, readonly string[]>> = {
  list: ['page=1', 'page=2500', 'page=5000', 'page=250&perPage=200&order=asc'],
  'text search, common words': ['query=push', 'query=popunder', 'query=android', 'query=windows&page=40'],
  'text search, rare words': [
    'query=retargeting%2030d%20%C2%B7%20jp',
    'query=nordics%20%7C%20search',
    'query=zzz',
  ],
  'text search, two letters': ['query=de', 'query=v7'],
  'numeric search': ['query=104201', 'query=250000', 'query=999999999'],
  'sort by name': ['sort=name&order=asc', 'sort=name&page=2500', 'sort=name&order=asc&page=5000'],
  'sort by any other column': [
    'sort=payout',
    'sort=website&page=1200',
    'sort=geo&page=4000',
    'sort=status_name',
  ],
  'status filter': [
    'status=1',
    'status=0&page=100',
    'status=4&sort=name',
    'status=3&types=7&sort=payout&page=30',
  ],
};

/**
 * Returns the median and the 99th percentile in milliseconds over HTTP, parsing of the JSON included. One write precedes each
 * search, so that work that the service defers after a write is measured too.
 */
export async function measureLargeAccount(): Promise<{ question: string; median: number; p99: number }[]> {
  const service = await startBackend({ campaigns });
  const headers = { authorization: `Bearer ${service.credentials.memberToken}` };
  const ask = async (query: string): Promise<number> => {
    const start = performance.now();
    const answer = await fetch(`${service.baseUrl}/login/campaigns/campaigns?${query}`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${query}: ${answer.status}`);
    return performance.now() - start;
  };
  const first = (await service.list('?perPage=1')).data[0]?.cid ?? 0;
  const results: { question: string; median: number; p99: number }[] = [];
  for (const [question, queries] of Object.entries(questions)) {
    const times: number[] = [];
    for (let time = -1; time < timesEach; time += 1) {
      for (const query of queries) {
        if (query.startsWith('query=')) await service.setStatus({ ids: [first], status: 2 });
        const taken = await ask(query);
        if (time >= 0) times.push(taken);
      }
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
    results.push({ question, median: at(0.5), p99: at(0.99) });
  }
  await service.dispose();
  return results;
}
