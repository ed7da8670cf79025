import { typeOf } from '../fields/limits.ts';
import { kindOf } from '../kind.ts';
import type { Risk } from './subject.ts';

/** A type that changes, or that is not recognised, so that no rule of a kind was checked. */
export const typeRisk: Risk = ({ changes, after, context }) => [
  ...(changes.some(({ field }) => field === 'type')
    ? [
        {
          code: 'type_changes',
          severity: 'warning' as const,
          text: 'The campaign becomes one of another type.',
        },
      ]
    : []),
  ...(kindOf(typeOf(after, context)).recognised
    ? []
    : [
        {
          code: 'type_unrecognised',
          severity: 'warning' as const,
          text: 'Countersign does not recognise this campaign type; no rule of a kind was checked.',
        },
      ]),
];
