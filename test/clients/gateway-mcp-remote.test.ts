import { expect, test } from 'vitest';
import { has } from '#test/servers/abilities.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { openGateway } from './gateway.ts';
import { connectThroughProxy } from './stdio-agent.ts';

test.runIf(has.linux)(
  'mcp-remote is admitted by the user, reads, and gets the result of its write after the user’s decision',
  async () => {
    const { core, url, decided, browser } = await openGateway();
    const client = await connectThroughProxy(url, browser.env);
    expect([browser.failures, browser.opened.length]).toEqual([[], 1]);
    expect(decided.map(({ operation, state }) => [operation, state])).toEqual([['agent.admit', 'verified']]);

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['svc_list_campaigns', 'svc_commit', 'countersign_await', 'countersign_note']),
    );
    const call = async (name: string, args: Record<string, unknown>): Promise<never> => {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
      return (result.structuredContent as { data: never }).data;
    };
    const rows: CampaignRow[] = await call('svc_list_campaigns', { status: 'active', limit: 1 });
    const [{ cid, payout } = { cid: 0, payout: 0 }] = rows;
    const changes = { payout: Math.round(payout * 0.9e6) / 1e6 };
    const { approval, payload }: { approval: { id: string; fingerprint: string }; payload: object } =
      await call('svc_prepare_campaign_update', { cid, changes });
    const { id: approvalId, fingerprint } = approval;
    const commit = { approvalId, fingerprint, payload, idempotencyKey: 'one', confirmed: true };
    const { structuredContent } = await client.callTool({ name: 'svc_commit', arguments: commit });
    expect(structuredContent).toMatchObject({
      data: { status: 'completed' },
      countersign: { verdict: 'verified', differences: [] },
    });

    expect(decided.at(-1)).toMatchObject({
      operation: 'tool.call',
      state: 'verified',
      proposedBy: { kind: 'agent' },
    });
    const { items } = await core.handlers['proposals.list']({ which: 'waiting', before: null, limit: 5 });
    expect(items).toEqual([]);
  },
);
