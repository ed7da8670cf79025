import { measureHealthInFlood } from './mcp/pipelined.ts';
import { measureIdleSessions } from './mcp/idle-sessions.ts';
import { measureMcpThroughput, type Throughput } from './mcp/throughput.ts';

interface Figure {
  name: string;
  figure: number;
  unit: string;
  aim: string;
}

/** Compares the remote tools with the minimum that the SDK can answer with, and measures idle sessions and a flood. */
export async function run(): Promise<Figure[]> {
  const { repeated, varied } = await measureMcpThroughput();
  const { sessions, addedBytes } = await measureIdleSessions();
  const { asked, slowestMs } = await measureHealthInFlood();
  return [
    ...figuresOf('svc_list_campaigns, one call repeated', repeated),
    ...figuresOf('svc_list_campaigns, 300 different calls', varied),
    {
      name: `memory that ${sessions} idle sessions add`,
      figure: addedBytes / 2 ** 20,
      unit: 'MiB',
      aim: 'under 30',
    },
    {
      name: `slowest /health while ${asked} requests are pipelined`,
      figure: slowestMs,
      unit: 'ms',
      aim: 'under 50',
    },
  ];
}

function figuresOf(name: string, { service, sdk, ratio }: Throughput): Figure[] {
  return [
    { name: `${name}: the service`, figure: service, unit: 'calls/s', aim: '–' },
    { name: `${name}: the SDK’s minimal server`, figure: sdk, unit: 'calls/s', aim: '–' },
    { name: `${name}: the service’s share`, figure: ratio, unit: 'of it', aim: 'at least 0.95' },
  ];
}
