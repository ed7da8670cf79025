import type { Clock } from '#core/platform/clock.ts';
import type { AppStore, StoredProposal } from '#core/store/app/index.ts';
import { type ChangeView, diffCampaigns, fieldLabel } from '#shared/campaign/index.ts';
import { type CampaignContext, campaignEditSchema } from '#shared/contract/index.ts';
import { AppError, parseStrictJson } from '#shared/errors/index.ts';
import { inertText } from '#shared/lib/inert-text.ts';
import { canonicalJson } from '#shared/lib/json/canonical.ts';
import { isJsonObject, jsonEqual, type JsonObject } from '#shared/lib/json/json-value.ts';
import { againOf, assertSameAccount, type ConnectionOf, type PreparedWrite } from '../operation.ts';
import { statusParts } from '../status-change/stored-parts.ts';
import { changedInRow } from '../status-change/send.ts';
import { contextOf } from '../update.ts';
import { knownChange, toolCallParts } from './known-change.ts';
import { baseText, type ToolCallBase, type ToolCallParts } from './stored-parts.ts';
import {
  createComparisonsOf,
  assertExact,
  assertReadable,
  type Preparation,
  prepareToolCall,
  type ToolCallRequest,
} from './prepare.ts';
import type { Call } from './call-arguments.ts';
import type { Formats } from '#shared/lib/formats.ts';
import { changeInWords, rowChange, statusInWords } from '#shared/wording/index.ts';

/** The new preparation and its commit: the earlier call with a new approval, fingerprint and payload. */
interface PreparedAgain {
  tool: ToolCallRequest['tool'];
  args: JsonObject;
  undeclared: readonly string[];
  prepared: NonNullable<ToolCallRequest['prepared']>;
}

/** Fails with `tool_held`, `prepare_again_impossible`, `tool_refused` with the service's message, or as the client does. */
export type PrepareAtService = (
  profileId: string,
  asked: { commit: Call; preparation: Preparation },
) => Promise<PreparedAgain>;

interface CallsAgainOptions {
  store: Pick<AppStore, 'proposals'>;
  connectionOf: ConnectionOf;
  prepareAtService: PrepareAtService;
  clock: Pick<Clock, 'nowMs'>;
  formats(): Formats;
}

/** Fails with `prepare_again_impossible`, `account_changed`, `prepared_differs` for a different change, or as the reads do. */
export function createCallsAgain(
  options: CallsAgainOptions,
): (proposal: StoredProposal) => Promise<PreparedWrite> {
  const { store, connectionOf, prepareAtService, clock, formats } = options;
  return async (proposal) => {
    const connection = connectionOf(proposal);
    const today = connection.today();
    const before = toolCallParts(proposal);
    const { name, args, preparation } = before;
    if (preparation === null) throw new AppError('prepare_again_impossible', { message: unknownPreparation });
    const request = await prepareAtService(proposal.profile.id, { commit: { name, args }, preparation });
    assertReadable(request.args);
    assertExact(request.args);
    const nowMs = clock.nowMs();
    const comparisonsOf = createComparisonsOf(store, proposal.profile.id, nowMs);
    const draft = await prepareToolCall(
      { client: connection.campaigns, today },
      { request, args: request.args, nowMs, comparisonsOf },
      formats(),
    );
    assertSameAccount(proposal, draft.account);
    const after = toolCallParts(draft);
    assertSameSubject(proposal, { before, after, draft });
    const { moved, preparedDifferently } = differences(before, after, formats());
    return {
      ...draft,
      base: baseText({ ...baseOf(after), preparedDifferently }),
      rebase: againOf(proposal, moved),
    };
  };
}

const unknownPreparation =
  'Countersign does not know the call by which the service prepared this. Its agent has to prepare it again.';

function baseOf(parts: ToolCallParts): ToolCallBase {
  const { tool, approvalEndsAtMs, preparation, subject, undeclared, notCompared, task } = parts;
  return {
    tool,
    approvalEndsAtMs,
    preparation,
    preparedDifferently: [],
    subject,
    undeclared,
    notCompared,
    task,
  };
}

/** The service must prepare a change of equal campaigns and kind, because the person did not ask for any other change. */
function assertSameSubject(
  proposal: StoredProposal,
  { before, after, draft }: { before: ToolCallParts; after: ToolCallParts; draft: PreparedWrite },
): void {
  const isStatus = after.subject.kind === 'status';
  const isSame =
    draft.targets.every((cid) => proposal.targets.includes(cid)) &&
    (isStatus || proposal.targets.length === draft.targets.length) &&
    before.subject.kind === after.subject.kind &&
    before.effect === after.effect &&
    statusIn(before) === statusIn(after);
  if (!isSame) throw new AppError('prepared_differs', { message: anotherChange });
}

const anotherChange =
  'Asked for the same change, the service prepared one of other campaigns or of another kind. It is not proposed.';

function statusIn(parts: ToolCallParts): number | null {
  const known = parts.subject.kind === 'status' ? knownChange(parts) : null;
  return known === null ? null : statusParts(known).payload.status;
}

interface Differences {
  moved: ChangeView[];
  preparedDifferently: string[];
}

function differences(before: ToolCallParts, after: ToolCallParts, formats: Formats): Differences {
  const [one, two] = [knownChange(before), knownChange(after)];
  if (one !== null && two !== null && after.subject.kind === 'update')
    return updateDifferences(one, two, formats);
  if (one !== null && two !== null) return { moved: movedRows(one, two, formats), preparedDifferently: [] };
  return payloadDifferences(before, after);
}

type KnownChange = NonNullable<ReturnType<typeof knownChange>>;

interface Update {
  campaign: JsonObject;
  payload: JsonObject;
  context: CampaignContext;
}

function updateOf({ base, payload }: KnownChange): Update {
  const edit = campaignEditSchema.parse(parseStrictJson(base));
  const wanted = parseStrictJson(payload);
  return { campaign: edit.campaign, payload: isJsonObject(wanted) ? wanted : {}, context: contextOf(edit) };
}

function updateDifferences(one: KnownChange, two: KnownChange, formats: Formats): Differences {
  const [before, after] = [updateOf(one), updateOf(two)];
  const moved = diffCampaigns(before.campaign, after.campaign);
  const wantedBefore = diffCampaigns(before.campaign, before.payload);
  const wantedNow = diffCampaigns(after.campaign, after.payload).map(({ field }) => field);
  const other = diffCampaigns(before.payload, after.payload).filter(
    ({ field }) => wantedNow.includes(field) || wantedBefore.some((effect) => effect.field === field),
  );
  return {
    moved: [
      ...moved.map((change) => changeInWords(change, after.context, formats)),
      ...other.map((change) => {
        const words = changeInWords(change, after.context, formats);
        return { ...words, field: `prepared ${words.field}`, label: `${words.label}, as prepared` };
      }),
    ],
    preparedDifferently: other.map(({ field }) => fieldLabel(field)),
  };
}

function movedRows(one: KnownChange, two: KnownChange, formats: Formats): ChangeView[] {
  const [before, after] = [statusParts(one).targets, statusParts(two).targets];
  const rows = new Map(after.map(({ cid, row }) => [cid, row]));
  return before.flatMap((target) => {
    const row = rows.get(target.cid);
    const isOne = before.length === 1;
    if (row !== undefined) return changedInRow(target, row, isOne, formats);
    const was = statusInWords(target.row.status);
    return [{ ...rowChange(target, isOne, 'status'), before: was, after: 'Not in the change any more' }];
  });
}

function payloadDifferences(before: ToolCallParts, after: ToolCallParts): Differences {
  const payloadOf = ({ args: { payload } }: ToolCallParts): JsonObject =>
    payload !== undefined && isJsonObject(payload) ? payload : {};
  const [one, two] = [payloadOf(before), payloadOf(after)];
  const names = [...new Set([...Object.keys(one), ...Object.keys(two)])];
  const text = (of: JsonObject, name: string): string => {
    const value = of[name];
    return value === undefined ? 'None' : inertText(typeof value === 'string' ? value : canonicalJson(value));
  };
  const moved = names
    .filter((name) => !jsonEqual(one[name], two[name]))
    .map((name): ChangeView => {
      const label = inertText(name);
      const none = { delta: null, factor: null, added: [], removed: [], schedule: null };
      return { field: name, label, before: text(one, name), after: text(two, name), ...none };
    });
  // Every preparation has its own id.
  const others = moved.filter(({ field }) => field !== 'id');
  return { moved, preparedDifferently: others.map(({ label }) => label) };
}
