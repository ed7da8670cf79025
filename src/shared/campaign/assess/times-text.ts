import { factorText } from '../../lib/decimal.ts';
import type { AmountChange } from './subject.ts';

/** The factor as it is read after a comma: `10`, not `×10`. */
export function timesText({ from, to }: AmountChange): string {
  return (factorText(from, to) ?? '').replace('×', '');
}
