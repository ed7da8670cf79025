import type { JsonObject } from '../../lib/json/json-value.ts';
import { sampleCampaign } from './sample-campaign.ts';

/** A change of one campaign: as it was read, and as it would be sent. */
export interface TrainingChange {
  before: JsonObject;
  after: JsonObject;
}

/** A write to decide on, as an agent proposes it. */
export type TrainingWrite =
  | { kind: 'change'; change: TrainingChange; /** The agent's own words. */ quotation?: string }
  /** Proposed one by one, equal but for the one at `odd`. */
  | { kind: 'changes'; changes: readonly TrainingChange[]; odd: number }
  /** A commit of the campaign `payload.after`, with more arguments beside it; `undeclared` names those that the tool's definition does not. */
  | { kind: 'call'; payload: TrainingChange; beside: JsonObject; undeclared: readonly string[] };

/** A write with a name that says what it is, in a few words. */
export interface TrainingCase {
  name: string;
  write: TrainingWrite;
}

/** The figure that a person must not miss, as it is shown: of the money at risk or the bid, or of the change with both sides. */
export type Telltale = { money: string } | { before?: string; after: string; delta?: string };

/** A case in which a person has to notice something. */
export interface PlantedFault extends TrainingCase {
  telltale: Telltale;
}

/** A change of the sample campaign; `before` is how it differs from the sample. */
export function changed(after: JsonObject, before: JsonObject = {}): TrainingChange {
  const campaign = { ...sampleCampaign, ...before };
  return { before: campaign, after: { ...campaign, ...after } };
}

/** The same as a write. */
export function changing(after: JsonObject, before: JsonObject = {}): TrainingWrite {
  return { kind: 'change', change: changed(after, before) };
}
