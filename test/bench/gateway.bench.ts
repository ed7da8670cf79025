import { measureFlood } from './gateway/flood.ts';
import { measureReads, measureReadsFromAfar } from './gateway/read-overhead.ts';

/** The latency of a service that is not on this machine; short for a service on the internet. */
const awayMs = 10;

/** Compares the gateway with the service itself and with mcp-remote, and measures the gateway under a flood of proposals. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const { direct, bareProxy, gateway, mcpRemote } = await measureReads();
  const afar = await measureReadsFromAfar(awayMs);
  const flood = await measureFlood();
  return [
    { name: 'svc_list_campaigns at the service, median', figure: direct, unit: 'ms', aim: '–' },
    {
      name: 'the same through a proxy that looks at nothing, median',
      figure: bareProxy,
      unit: 'ms',
      aim: '–',
    },
    { name: 'the same through the gateway, median', figure: gateway, unit: 'ms', aim: 'under mcp-remote' },
    { name: 'the same through mcp-remote, median', figure: mcpRemote, unit: 'ms', aim: '–' },
    { name: 'the gateway against the service', figure: gateway / direct, unit: '×', aim: 'at most 1.3' },
    {
      name: 'the proxy that looks at nothing against the service',
      figure: bareProxy / direct,
      unit: '×',
      aim: '–',
    },
    {
      name: `the gateway against a service that is ${awayMs} ms away`,
      figure: afar.gateway / afar.direct,
      unit: '×',
      aim: 'at most 1.3',
    },
    { name: `${flood.asked} proposals at once: waiting`, figure: flood.waiting, unit: '', aim: '90' },
    { name: `${flood.asked} proposals at once: refused`, figure: flood.capped, unit: '', aim: '–' },
    {
      name: 'the longest hold of the event loop',
      figure: flood.longestDelayMs,
      unit: 'ms',
      aim: 'under 100',
    },
    {
      name: 'the heap after four floods against after one',
      figure: flood.heapGrowthBytes / 2 ** 20,
      unit: 'MiB',
      aim: 'under 5',
    },
  ];
}
