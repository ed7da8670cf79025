import { measureMcpThroughput } from './mcp/throughput.ts';

/** Compares the remote tools with a minimal server of the SDK. */
export async function run(): Promise<{ name: string; figure: number; unit: string; aim: string }[]> {
  const { service, sdk, ratio } = await measureMcpThroughput();
  return [
    { name: 'tools/call svc_list_campaigns, the service', figure: service, unit: 'calls/s', aim: '–' },
    { name: 'the same answer from the SDK’s minimal server', figure: sdk, unit: 'calls/s', aim: '–' },
    {
      name: 'the service against the SDK’s minimal server',
      figure: ratio,
      unit: 'of it',
      aim: 'at least 0.6',
    },
  ];
}
