import { measureOverhead, type Overhead } from './client/overhead.ts';

/** Measures the time that the member client adds to a call over the loopback. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const { list, get } = await measureOverhead();
  return [...figures('list of 20', list), ...figures('one campaign', get)];
}

function figures(what: string, { ours, bare, difference }: Overhead) {
  return [
    { name: `${what}, the member client, median`, figure: ours, unit: 'ms', aim: '–' },
    { name: `${what}, bare fetch and JSON.parse, median`, figure: bare, unit: 'ms', aim: '–' },
    { name: `${what}, what the client adds`, figure: difference, unit: 'ms', aim: 'under 1' },
  ];
}
