import { isAtLeastTimes } from '../../lib/decimal.ts';
import { type JsonValue, own } from '../../lib/json/json-value.ts';
import { fieldLabel } from '../fields/labels.ts';
import { valueInWords } from '../words/value-in-words.ts';
import type { Mark, Risk, WeighedUpdate } from './subject.ts';

/** What holds delivery back besides money: a mode of 0 is off, any other counts by its counter (contract §2.4). */
const brakes = [
  { mode: 'freq_cap', counter: 'freq_counter', code: 'frequency_cap' },
  { mode: 'traffic_speed', counter: 'traffic_speed_counter', code: 'pacing' },
] as const;

type Brake = (typeof brakes)[number];

/** A frequency cap or a pacing that is switched off, counts by another mode, or lets more through: twice as much is a warning. */
export const deliveryRisk: Risk = (update) => brakes.flatMap((brake) => brakeRisk(update, brake));

function brakeRisk(update: WeighedUpdate, { mode, counter, code }: Brake): Mark[] {
  const { before, after, context } = update;
  const [from, to] = [own(before, mode), own(after, mode)];
  if (!isOn(from)) return [];
  const label = fieldLabel(mode);
  const words = (field: string, value: JsonValue | undefined): string => valueInWords(field, value, context);
  if (!isOn(to)) {
    const figure = { label, before: words(counter, own(before, counter)), after: 'Off' };
    return [{ code: `${code}_off`, severity: 'warning', text: `${label} is switched off.`, figure }];
  }
  if (from !== to) {
    const text = `${label} counts by another mode: Countersign cannot weigh it.`;
    return [{ code: `${code}_mode`, severity: 'warning', text }];
  }
  const [had, has] = [own(before, counter), own(after, counter)];
  if (had === has || (isCount(had) && isCount(has) && has < had)) return [];
  const isMuch = !isCount(had) || !isCount(has) || had <= 0 || isAtLeastTimes(had, has, 2n);
  const figure = { label: fieldLabel(counter), before: words(counter, had), after: words(counter, has) };
  const text = `${label} lets more through: ${figure.after} instead of ${figure.before}.`;
  return [{ code: `${code}_loosened`, severity: isMuch ? 'warning' : 'notice', text, figure }];
}

function isOn(mode: JsonValue | undefined): boolean {
  return mode !== 0 && mode !== undefined && mode !== null && mode !== false && mode !== '';
}

function isCount(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
