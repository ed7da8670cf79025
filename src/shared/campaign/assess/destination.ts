import { inertText } from '../../lib/inert-text.ts';
import { webHost } from '../../lib/web-url.ts';
import { own } from '../../lib/json/own.ts';
import { fieldLabel } from '../fields/labels.ts';
import type { Warning } from '../types.ts';
import type { Risk } from './subject.ts';

/** Clicks, or the advertiser's name, that go to another host. */
export const destinationRisk: Risk = ({ before, after }) =>
  ['clickurl', 'website'].flatMap((field): Warning[] => {
    const from = hostOf(own(before, field));
    const to = hostOf(own(after, field));
    if (from === null || from === to) return [];
    const where = to === null ? 'nowhere' : inertText(to);
    const text = `${fieldLabel(field)} goes to ${where} instead of ${inertText(from)}.`;
    return [{ code: 'destination_changes', severity: 'warning', text }];
  });

function hostOf(value: unknown): string | null {
  return typeof value === 'string' ? webHost(value) : null;
}
