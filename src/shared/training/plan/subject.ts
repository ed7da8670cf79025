import { type CampaignKind, kindOf, typeOf } from '../../campaign/index.ts';
import type { CampaignContext, CampaignType } from '../../contract/index.ts';
import { jsonEqual, type JsonObject } from '../../lib/json/json-value.ts';
import type { Random } from '../../lib/random.ts';
import { settled } from './settled.ts';

/** Source of a plan: the campaigns of the workspace in full, and today on the service's clock. */
export interface Workspace {
  campaigns: readonly JsonObject[];
  context: CampaignContext;
  day: { date: string; zone: string };
}

/** A campaign of the workspace that a step is about, as it stands before the mission begins. */
export interface Subject {
  cid: number;
  name: string;
  type: CampaignType;
  kind: CampaignKind;
  /** Complete, valid and running: budgets, flight, schedule, countries and frequency cap are on. */
  campaign: JsonObject;
  /** Its fields that the workspace does not have yet. */
  fields: JsonObject;
}

/** A campaign that a mission could use; each is given out once. */
export interface Pool {
  /** Throws where no campaign is left that fits. */
  take(fits?: (candidate: Candidate) => boolean): Subject;
  /** The subject with other fields before the mission. */
  with(subject: Subject, fields: JsonObject): Subject;
}

export type Candidate = Pick<Subject, 'type' | 'kind' | 'campaign'>;

const pending = 0;

/** The campaigns in an order of the seed's. Those of an unknown type, and pending ones, which nobody but the service may start, are left out. */
export function createPool({ campaigns, context, day }: Workspace, random: Random): Pool {
  const left = random.shuffled(campaigns).flatMap((campaign): Candidate[] => {
    const type = campaign['status'] === pending ? undefined : typeOf(campaign, context);
    return type === undefined ? [] : [{ campaign, type, kind: kindOf(type) }];
  });
  const names = new Set<string>();
  const stored = new Map(campaigns.map((campaign) => [campaign['cid'], campaign]));

  function subjectOf({ type, kind }: Candidate, campaign: JsonObject): Subject {
    const { cid, name } = campaign;
    const before = stored.get(cid ?? null) ?? {};
    const fields = Object.entries(campaign).filter(([field, value]) => !jsonEqual(before[field], value));
    return {
      cid: Number(cid),
      name: typeof name === 'string' ? name : '',
      type,
      kind,
      campaign,
      fields: Object.fromEntries(fields),
    };
  }

  return {
    take(fits = () => true) {
      const at = left.findIndex(fits);
      const [found] = at < 0 ? [] : left.splice(at, 1);
      if (found === undefined) throw new RangeError('The workspace has too few campaigns for this mission');
      const fields = settled(found.type, { random, context, day, names });
      return subjectOf(found, { ...found.campaign, ...fields });
    },
    with: (subject, fields) => subjectOf(subject, { ...subject.campaign, ...fields }),
  };
}
