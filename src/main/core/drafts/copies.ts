import type { Connections } from '#core/connections/index.ts';
import type { CopyRetention } from '#core/proposals/index.ts';
import type { CampaignReads, CampaignCache } from '#core/reads/index.ts';
import type { AppStore, DraftChange, AccountScope } from '#core/store/app/index.ts';
import type { AppHandlers, AppOutput } from '#shared/app-api/index.ts';
import { fieldLabel } from '#shared/campaign/index.ts';
import { AppError } from '#shared/errors/index.ts';
import { dateText } from '#shared/lib/date-text.ts';
import { quotedStart } from '#shared/lib/inert-text.ts';
import { jsonEqual, type JsonObject, own } from '#shared/lib/json/json-value.ts';
import type { Drafts } from './drafts.ts';

export interface CopiesOptions {
  store: Pick<AppStore, 'campaignCopies'>;
  connections: Pick<Connections, 'current'>;
  campaignCache: Pick<CampaignCache, 'keepCampaign'>;
  latest: CampaignReads['latest'];
  drafts: Pick<Drafts['requests'], 'drafts.change'>;
  retention: CopyRetention;
}

type CopyRequest = Extract<keyof AppHandlers, `copies.${string}`>;

/** Lists daily copies of campaigns (docs/write-path.md, "Drafts"), restores them as drafts, and sets their retention. */
export interface Copies {
  requests: Pick<AppHandlers, CopyRequest>;
}

export function createCopies(options: CopiesOptions): Copies {
  const { store, connections, campaignCache, latest, drafts, retention } = options;

  function scope(): AccountScope {
    const { id, account } = connections.current().profile;
    return { profileId: id, account };
  }

  async function list(cid: number): Promise<AppOutput<'copies.list'>> {
    const copies = store.campaignCopies.of(scope(), cid);
    if (copies.length === 0) return { items: [] };
    const now = await latest(cid);
    const items = copies.map(({ day, atMs, campaign }) => {
      return { day, atMs, differs: differingFields(now, campaign).map(fieldLabel) };
    });
    return { items };
  }

  async function restore(cid: number, day: string): Promise<AppOutput<'copies.restore'>> {
    const { member, profile } = connections.current();
    const accountScope = scope();
    const copy = store.campaignCopies.of(accountScope, cid).find((one) => one.day === day);
    if (copy === undefined) throw new AppError('copy_unknown');
    const { raw, edit } = await member.get(cid);
    if (!jsonEqual({ ...accountScope }, { ...scope() })) throw new AppError('profile_changed');
    campaignCache.keepCampaign(profile.id, cid, raw);
    const now = edit.campaign;
    const fields = differingFields(now, copy.campaign);
    const skipped = fields.filter((field) => !Object.hasOwn(now, field));
    const changes = fields.flatMap((field): DraftChange[] => {
      const [from, value] = [own(now, field), own(copy.campaign, field)];
      if (from === undefined || value === undefined) return [];
      return [{ cid, field, draft: { from, operations: [{ kind: 'set', value }] } }];
    });
    if (changes.length === 0) throw new AppError('nothing_to_change');
    const title = titleOf(now, day);
    await drafts['drafts.change']({ title, changes });
    return { title, drafted: changes.length, skipped: skipped.map(fieldLabel) };
  }

  return {
    requests: {
      'copies.list': ({ cid }) => list(cid),
      'copies.restore': ({ cid, day }) => restore(cid, day),
      'copies.days': async () => ({ days: retention.days() }),
      async 'copies.setDays'({ days }) {
        retention.setDays(days);
        return { days };
      },
    },
  };
}

const maxNameLength = 60;

/** `Restore “Summer” of 22 Nov`, without the year, because copies are kept for a year at most. */
function titleOf({ name }: JsonObject, day: string): string {
  const words = typeof name === 'string' ? quotedStart(name, maxNameLength) : 'the campaign';
  return `Restore ${words} of ${dateText(day, Number(day.slice(0, 4)))}`;
}

/** Fields that a restore never changes. */
const identityFields: ReadonlySet<string> = new Set(['cid', 'uid']);

function differingFields(now: JsonObject, copy: JsonObject): string[] {
  return Object.keys(copy).filter(
    (field) => !identityFields.has(field) && !jsonEqual(own(now, field), own(copy, field)),
  );
}
