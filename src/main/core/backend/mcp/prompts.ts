import { z } from 'zod';
import type { PromptDefinition } from '#core/mcp-server/index.ts';
import { AppError } from '#shared/errors/index.ts';
import type { JsonObject } from '#shared/lib/json/json-value.ts';
import {
  type Entitlements,
  type Requirements,
  hasModule,
  hasOrderedDates,
  isOffered,
  dateOrderIssue,
} from '../remote-call/tool.ts';
import { readArguments } from '#core/mcp-server/index.ts';

interface RemotePrompt extends Requirements {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /**
   * The user's request to the agent, with arguments parsed by `input`. The text must not tell the agent to ask for approval:
   * tool definitions do that, and Countersign replaces those because it asks the user itself (docs/decisions/0064).
   */
  text(args: Record<string, string | undefined>): string;
}

function digitsSchema(what: string): z.ZodString {
  return z.string().regex(/^[1-9]\d{0,14}$/, `Give ${what} in plain digits.`);
}

const day = z.iso.date();

const reviewCampaign: RemotePrompt = {
  name: 'review_campaign',
  title: 'Review a campaign',
  description: 'Look one campaign over: bid, budget, flight, targeting, what is risky. Changes nothing.',
  scopes: [],
  modules: ['campaigns'],
  input: z.strictObject({ cid: digitsSchema('the campaign id').describe('The campaign id.') }),
  text: ({ cid }) => `Review campaign ${cid}.

1. Read it with svc_get_campaign {"cid": ${cid}}. Judge it only by what that read returns: the campaign, its campaign_types and settings.
2. Say in plain words what it does now: status, type and pricing, bid within its bounds, daily and total budget (0 is unlimited), flight, weekly schedule, caps, targeting (a flag of 1 means every value).
3. Name what is risky or odd, the most expensive first: no total budget, no end, a bid at its upper bound, targeting that lets everything in, a creative or address that does not fit.
4. Suggest at most three changes, each with its reason and what it would cost or save. Say what you cannot know: the service shows neither spend nor conversions of a campaign.

Change nothing. If I want one of the changes, prepare exactly that with svc_prepare_campaign_update, and go on as the description of that tool says: it says who asks me before anything is committed.`,
};

const defaultDays = '7';

const pauseLosers: RemotePrompt = {
  name: 'pause_losers',
  title: 'Pause losing campaigns',
  description:
    'Find active campaigns that cost money without results, and prepare to pause them. A person decides.',
  scopes: ['svc:write'],
  modules: ['campaigns'],
  input: z.strictObject({
    days: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, 'Give days as a whole number from 1 to 999.')
      .optional()
      .describe(`How many days back to look; ${defaultDays} when left out.`),
    maxCost: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,6})?$/, 'Give maxCost as an amount such as 25 or 12.50.')
      .optional()
      .describe('How much a campaign may cost without a single conversion, in the currency of the account.'),
  }),
  text: ({ days = defaultDays, maxCost }) => `Find the campaigns that lose money, and prepare to pause them.

1. List every active campaign: svc_list_campaigns {"status": "active", "orderBy": "payout", "limit": 200}. Go on at sourcePagination.nextOffset until complete is true.
2. The service shows neither spend nor conversions of a campaign. Ask me for the figures of the last ${days} days, by campaign id: cost, conversions, revenue. Never estimate them, and leave out every campaign that I give no figures for.
3. A loser is a campaign with ${loserRule(maxCost)}. Show me the losers as a table: cid, name, cost, conversions, revenue, bid, daily budget, and why each is on the list. Show the close calls apart.
4. Wait until I have named the campaigns to pause. Prepare exactly those: svc_prepare_campaign_status {"ids": […], "status": "paused"}.
5. Go on as the description of that tool says: it says who asks me before anything is committed. Pass to svc_commit what was prepared, unchanged, with a fresh idempotencyKey. If something has changed in the meantime, start again at 1.

Never decide alone, and never pause more than I named.`,
};

function loserRule(maxCost: string | undefined): string {
  return maxCost === undefined
    ? 'more cost than revenue; ask me how much one may lose before it counts'
    : `more than ${maxCost} of cost and no conversion`;
}

const explainReport: RemotePrompt = {
  name: 'explain_report',
  title: 'Explain a traffic report',
  description: 'Read the XML statistics of one traffic source and say what happened, and what to ask next.',
  scopes: [],
  modules: ['xml'],
  input: z
    .strictObject({
      tid: digitsSchema('the traffic source').describe('The traffic source id.'),
      date_from: day.describe('First day, YYYY-MM-DD.'),
      date_to: day.describe('Last day, YYYY-MM-DD.'),
    })
    .refine(hasOrderedDates, dateOrderIssue),
  text: ({
    tid,
    date_from: from,
    date_to: to,
  }) => `Explain the traffic of source ${tid} from ${from} to ${to}.

1. Read it three ways: svc_xml_stats {"tid": ${tid}, "date_from": "${from}", "date_to": "${to}", "groupBy": "day"}, then with "geo" and "subid".
2. Say first, in two sentences, how it went: revenue, clicks, and the share of invalid clicks (gross_invalid of gross_clicks).
3. Then the days that stand out, with their figures: outages, jumps, a rise of invalid clicks. Compare a weekday with the same weekday. Today is not over: its figures are partial. Days are UTC.
4. Name the countries and subids that explain most of it. An empty subid is traffic that was sent without one.
5. Keep apart what the figures show and what you suspect. End with what I should check, and where.

Add up only what the rows say, and change nothing.`,
};

export interface PromptCatalogue {
  readonly size: number;
  find(name: string): RemotePrompt | null;
  offered(entitled: Entitlements): readonly PromptDefinition[];
}

const prompts: readonly RemotePrompt[] = [reviewCampaign, pauseLosers, explainReport];

export function createPromptCatalogue(): PromptCatalogue {
  const entries = prompts.map((prompt) => ({ prompt, definition: definitionOf(prompt) }));
  return {
    size: prompts.length,
    find: (name) => prompts.find((prompt) => prompt.name === name) ?? null,
    offered: (entitled) =>
      entries.filter(({ prompt }) => isOffered(entitled, prompt)).map(({ definition }) => definition),
  };
}

function definitionOf({ name, title, description, input }: RemotePrompt): PromptDefinition {
  const named = Object.entries(input.shape).map(([argument, schema]) => ({
    name: argument,
    description: (schema as z.ZodType).description ?? '',
    required: !(schema as z.ZodType).safeParse(undefined).success,
  }));
  return { name, title, description, arguments: named };
}

/** A prompt with its arguments inserted (MCP, Prompts). Fails with `module_denied` or `arguments_invalid`. */
export function answerPrompt(
  prompt: RemotePrompt,
  { principal, args }: { principal: Entitlements; args: Record<string, string> },
): JsonObject {
  if (!hasModule(principal, prompt)) throw new AppError('module_denied');
  const text = prompt.text(readArguments(prompt.input, args) as Record<string, string | undefined>);
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}
