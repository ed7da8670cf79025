import { z } from 'zod';
import type { PinnedTool, ToolPins } from '#core/agents/index.ts';
import type { Connection, Connections } from '#core/connections/index.ts';
import type { Clock } from '#core/platform/clock.ts';
import { assertAccepted } from '#core/proposals/index.ts';
import { callRepeatable, type RemoteClient } from '#core/service-client/index.ts';
import { parseCountryCode } from '#shared/campaign/index.ts';
import { type CampaignRow, campaignRowSchema, listLimits, statusNames } from '#shared/contract/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { type CampaignCondition, search, textMatcher } from '#shared/find/index.ts';
import { type JsonObject, objectAt } from '#shared/lib/json/json-value.ts';
import { answerSchema, defineOwnTool, type OwnTool, ownAnswer } from './own-tools.ts';

/** The only tool that the search calls (contract §4.3). */
const listTool = 'svc_list_campaigns';

const statuses = Object.values(statusNames).map((name) => name.toLowerCase());

/** Members of a list row that may be requested (contract §2.2). */
const fieldNames = campaignRowSchema.keyof();

const defaultFields = ['cid', 'name', 'type_name', 'status_name', 'payout', 'd_revenue'] as const;

const amount = z.number().min(0).optional();

const input = z.object({
  text: z
    .string()
    .max(255)
    .optional()
    .describe('An exact campaign id, or words of name, type or country in any order: "brazil push".'),
  status: z
    .array(z.enum(statuses))
    .min(1)
    .max(statuses.length)
    .optional()
    .describe('One of these: ["active", "paused"].'),
  types: z
    .array(z.string().max(255))
    .min(1)
    .max(100)
    .optional()
    .describe('One of these type names, as type_name has it.'),
  countries: z
    .array(z.string().max(255))
    .min(1)
    .max(300)
    .optional()
    .describe('Targets one of these, such as ["DE"]; campaigns that target all countries are included.'),
  budget: z
    .strictObject({ field: z.enum(['d_revenue', 't_revenue']), above: amount, below: amount })
    .optional()
    .describe('Daily or total limit in effect, USD. Unlimited is above every amount.'),
  fields: z
    .array(fieldNames)
    .min(1)
    .max(fieldNames.options.length)
    .default([...defaultFields])
    .describe('Members of each campaign in the answer.'),
  maxBytes: z.int().min(200).max(100_000).default(4_000).describe('The most bytes of campaigns.'),
  maxAgeSeconds: z.int().min(0).default(60).describe('Read the list again if it is older; 0 reads it now.'),
});

type Question = z.output<typeof input>;

const outputSchema = answerSchema({
  found: z.int().optional().describe('Campaigns that match.'),
  total: z.int().optional().describe('Campaigns that were searched.'),
  complete: z.boolean().optional().describe('False if the service has more campaigns than were searched.'),
  leftOut: z
    .int()
    .optional()
    .describe('Campaigns that match and are not in the answer: narrow the search, or raise maxBytes.'),
  ageSeconds: z.int().optional().describe('How old the list is.'),
  campaigns: z.array(z.looseObject({})).optional(),
});

interface FinderOptions {
  connections: Pick<Connections, 'of'>;
  pins: Pick<ToolPins, 'find'>;
  clock: Clock;
  /** Fails with `agents_frozen`. */
  assertThawed(): void;
}

/**
 * `countersign_find_campaigns`: searches the account's list, so that finding one campaign does not cost an agent
 * the whole list. The agent may read that list anyway. Labels and notes belong to the user and are not searched.
 */
export function createFindTool({ connections, pins, clock, assertThawed }: FinderOptions): OwnTool {
  const cached = new WeakMap<Connection, ReadList>();
  const readings = new WeakMap<Connection, Promise<ReadList>>();

  function listToolOf(profileId: string): PinnedTool | null {
    const tool = pins.find(profileId, listTool);
    return tool?.treatAs === 'read' && !tool.isHeld ? tool : null;
  }

  async function listOf(profileId: string, maxAgeSeconds: number): Promise<ReadList> {
    const connection = connections.of(profileId);
    const known = cached.get(connection);
    if (known !== undefined && clock.monotonicMs() - known.atMs <= maxAgeSeconds * 1000) return known;
    let reading = readings.get(connection);
    if (reading === undefined) {
      reading = readList(connection.remote, { atMs: clock.monotonicMs(), assertThawed });
      readings.set(connection, reading);
      void reading
        .then((list) => cached.set(connection, list))
        .catch(() => undefined)
        .finally(() => readings.delete(connection));
    }
    return reading;
  }

  return defineOwnTool({
    name: 'countersign_find_campaigns',
    title: 'Find campaigns',
    description:
      'Finds campaigns by text, id, status, type, country or budget, and answers in few bytes. The list may be up to maxAgeSeconds old; read a campaign in full with svc_get_campaign before you change it.',
    scopes: ['svc:read'],
    isOffered: (profileId) => listToolOf(profileId) !== null,
    input,
    outputSchema,
    async run({ profileId }, question) {
      assertThawed();
      if (listToolOf(profileId) === null) throw new AppError('tool_held');
      const list = await listOf(profileId, question.maxAgeSeconds);
      const found = rowsFound(list.rows, question);
      const campaigns = withinBytes(found, question);
      const ageSeconds = Math.round((clock.monotonicMs() - list.atMs) / 1000);
      const data = {
        found: found.length,
        total: list.rows.length,
        complete: list.complete,
        leftOut: found.length - campaigns.length,
        ageSeconds,
        campaigns,
      };
      return ownAnswer(data, JSON.stringify(data));
    },
  });
}

interface ReadList {
  rows: readonly CampaignRow[];
  complete: boolean;
  /** The start of the read, by the monotonic clock, because the time of day may be set back. */
  atMs: number;
}

/** Limits the search to 20,000 campaigns, because each page is a request. */
const maxPages = 100;

/** Reads page by page, and stops if agents are frozen. Fails as the tool does. */
async function readList(
  remote: Pick<RemoteClient, 'callTool'>,
  { atMs, assertThawed }: { atMs: number; assertThawed(): void },
): Promise<ReadList> {
  const rows: CampaignRow[] = [];
  let offset = 0;
  for (let page = 0; page < maxPages; page += 1) {
    assertThawed();
    const args = { orderBy: 'cid', order: 'asc', offset, limit: listLimits.maxPerPage };
    const answer = await callRepeatable(remote, listTool, args);
    assertAccepted(answer);
    const content = objectAt(answer, 'structuredContent');
    const read = z.array(campaignRowSchema).safeParse(content['data']);
    if (!read.success) throw new AppError('service_answer_unreadable');
    rows.push(...read.data);
    const { complete, nextOffset } = objectAt(content, 'sourcePagination');
    if (complete !== false || typeof nextOffset !== 'number' || nextOffset <= offset) {
      return { rows, complete: complete === true, atMs };
    }
    offset = nextOffset;
  }
  return { rows, complete: false, atMs };
}

/** Fixed, because no condition of this tool depends on the time. */
const clocks = { nowMs: 0, serviceZone: 'UTC' };

function rowsFound(rows: readonly CampaignRow[], question: Question): CampaignRow[] {
  const matches = textMatcher(question.text ?? '', new Map());
  const subjects = rows.map((row) => ({ row, edit: null, labels: [], hasNote: false })).filter(matches);
  return search(subjects, conditionsOf(question), clocks).found.map(({ row }) => row);
}

function conditionsOf({ status, types, countries, budget }: Question): CampaignCondition[] {
  const budgetIs = (is: 'above' | 'below'): CampaignCondition[] => {
    const amount = budget?.[is];
    return budget === undefined || amount === undefined
      ? []
      : [{ kind: 'budget', column: budget.field, is, amount }];
  };
  const codes = countries?.map((country) => parseCountryCode(country) ?? country) ?? [];
  return [
    ...(status ? [{ kind: 'status' as const, statuses: status.map((name) => statuses.indexOf(name)) }] : []),
    ...(types ? [{ kind: 'type' as const, names: types }] : []),
    ...(codes.length > 0 ? [{ kind: 'country' as const, codes, orAll: true }] : []),
    ...budgetIs('above'),
    ...budgetIs('below'),
  ];
}

function withinBytes(rows: readonly CampaignRow[], { fields, maxBytes }: Question): JsonObject[] {
  const taken: JsonObject[] = [];
  let left = maxBytes;
  for (const row of rows) {
    const campaign = Object.fromEntries(fields.map((field) => [field, row[field] ?? null])) as JsonObject;
    left -= Buffer.byteLength(JSON.stringify(campaign)) + 1;
    if (left < 0) break;
    taken.push(campaign);
  }
  return taken;
}
