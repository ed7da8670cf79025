import { createGuardrails } from '#core/agents/index.ts';
import {
  assertExact,
  assertReadable,
  prepareToolCall,
  sentArguments,
  type ToolCallRequest,
} from '#core/proposals/operations/tool-call/prepare.ts';
import { describeCall } from '#core/proposals/operations/describe-write.ts';
import type { ProposalWords } from '#core/proposals/operations/operation.ts';
import type { CampaignReader, CampaignRead } from '#core/service-client/index.ts';
import type { AppStore, StoredAgent } from '#core/store/app/index.ts';
import type { Guardrails } from '#shared/app-api/index.ts';
import { serviceDay } from '#shared/campaign/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import { admittedAgent } from '#test/fixtures/agent.ts';
import { exampleContext, exampleTypes, type ExampleKind } from '#test/fixtures/campaign.ts';
import { noGuardrails } from '#test/fixtures/guardrails.ts';
import { noPolicy } from '#test/servers/no-policy.ts';
import { defaultFormats } from '#shared/lib/formats.ts';

/** Noon of a day within the flight of the examples. */
export const nowMs = Date.UTC(2026, 6, 10, 12);
const profile = { id: 'live-1', name: 'Northwind', kind: 'live' as const, account: '7', zone: 'UTC' };
const agent: StoredAgent = { ...admittedAgent, profileId: profile.id };

/** An agent's call, with the change that the service prepared for it. */
export interface AskedCall {
  tool: string;
  args: JsonObject;
  prepared: ToolCallRequest['prepared'];
  undeclared: readonly string[];
}

/** The words of a call for a person, or the refusal that the agent would get. */
export type Shown =
  { refused: AppError } | { words: ProposalWords; guardrails: Record<string, string | null> };

/** Every guardrail that checks a single change, as strict as it can be without refusing everything. */
export function tightGuardrails(untouchable: number): Record<string, Partial<Guardrails>> {
  return {
    maxCampaigns: { maxCampaigns: 1 },
    maxBidFactor: { maxBidFactor: 1.5 },
    maxRaisePerDay: { maxRaisePerDayMicros: '0' },
    spendPace: { spendPace: { micros: '0', hours: 1 } },
    untouchable: { untouchable: [untouchable] },
  };
}

/** The gate from arguments to words and guardrails. The campaigns never change. */
export function createAskedCalls(
  campaigns: readonly JsonObject[],
  limits: Readonly<Record<string, Partial<Guardrails>>>,
  openStore: () => AppStore,
) {
  const reader = readerOf(campaigns);
  const rules = Object.entries(limits).map(([name, limit]) => ({
    name,
    refusal: refusalBy(limit, openStore()),
  }));

  return async function show({ tool: name, args: asked, prepared, undeclared }: AskedCall): Promise<Shown> {
    const tool = { name, title: null, definitionHash: 'a'.repeat(64) };
    const request = {
      agent: { id: agent.id, name: agent.name, sinceMs: 0, profileId: profile.id },
      sessionId: 'session-1',
      tool,
      args: asked,
      undeclared,
      quotation: null,
      prepared,
    };
    try {
      assertReadable(asked);
      assertExact(asked);
      const args = sentArguments(request);
      const preparation = { client: reader, today: serviceDay(nowMs, profile.zone) };
      const draft = await prepareToolCall(
        preparation,
        { request, args, nowMs, comparisonsOf: () => [] },
        defaultFormats,
      );
      const proposedBy = { kind: 'agent' as const, name: agent.name, sinceMs: 0, agentId: agent.id };
      const words = describeCall({ ...draft, profile, proposedBy, createdAtMs: nowMs }, defaultFormats);
      const guarded = { proposer: { profile, proposedBy, quotation: null }, draft, words };
      return {
        words,
        guardrails: Object.fromEntries(rules.map((rule) => [rule.name, rule.refusal(guarded)])),
      };
    } catch (failure) {
      if (failure instanceof AppError) return { refused: failure };
      throw failure;
    }
  };
}

/** Returns why a change is refused within these limits; null if it is allowed. */
function refusalBy(limits: Partial<Guardrails>, store: AppStore) {
  const { guard, set } = createGuardrails({
    policy: noPolicy,
    store,
    ledger: { append: () => ({ seq: 1, hash: '' }) },
    agents: { living: () => agent },
    freeze: { assertThawed() {} },
    limitClock: { timesOfDay: () => [nowMs] },
    onChange() {},
    formats: () => defaultFormats,
  });
  set(agent.profileId, { base: noGuardrails, guardrails: { ...noGuardrails, ...limits } });
  return (asked: Parameters<typeof guard.assertAllowed>[0]): string | null => {
    try {
      guard.assertAllowed(asked);
      return null;
    } catch (failure) {
      if (failure instanceof AppError && failure.code === 'guardrail') return failure.message;
      throw failure;
    }
  };
}

function readerOf(campaigns: readonly JsonObject[]): CampaignReader {
  const { types: campaign_types, settings } = exampleContext();
  const reads = new Map(
    campaigns.map((campaign) => {
      const edit = { campaign, campaign_types, settings };
      return [Number(campaign['cid']), { raw: edit, edit } as unknown as CampaignRead];
    }),
  );
  const rows = campaigns.map(rowOf);
  return {
    async get(cid) {
      const read = reads.get(cid);
      if (read === undefined) throw new AppError('campaign_not_found');
      return read;
    },
    async list({ query }) {
      const data = query === undefined ? rows : rows.filter(({ cid }) => String(cid) === query);
      return { data, total: data.length, currentPage: 1, totalPages: 1 };
    },
  };
}

function rowOf(campaign: JsonObject): CampaignRow {
  const type = Object.entries(exampleTypes).find(([, code]) => code === campaign['type'])?.[0] as ExampleKind;
  return {
    ...campaign,
    type_name: type,
    daily_budget: Number(campaign['d_revenue']),
    total_budget: Number(campaign['t_revenue']),
    bid_control_count: 0,
    status_name: '',
  } as unknown as CampaignRow;
}
