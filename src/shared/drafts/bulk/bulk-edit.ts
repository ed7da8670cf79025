import { z } from 'zod';
import { fieldOperationSchema, hours, members } from '../operation.ts';
import { amountFields, pasteSectionIds, setFields, setKinds, textFields } from './bulk-fields.ts';

const decimal = z.string().regex(/^\d{1,15}(\.\d{1,6})?$/u);
const days = z.int().min(-3_650).max(3_650);
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/u);

/** Edits of one value, which a cell of the campaign list can make as well. */
export const cellEditSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('amount'),
    field: z.enum(amountFields),
    change: fieldOperationSchema.refine(
      (operation) =>
        (operation.kind === 'set' && typeof operation.value === 'number') ||
        ['add', 'subtract', 'percent'].includes(operation.kind),
      'must be an amount',
    ),
    floor: decimal.nullable(),
    cap: decimal.nullable(),
    /**
     * Also turns on the switch that the amount depends on (budget limits, cap, pacing). If false, a campaign with the
     * switch off gets a problem.
     */
    turnsOn: z.boolean(),
  }),
  /** One value for one field: a text, the code of a type, or 1 and 0 for on and off. */
  z
    .object({
      kind: z.literal('set'),
      field: z.enum(setFields),
      value: z.union([z.string().min(1).max(2_000), z.int().min(0)]),
    })
    .refine(({ field, value }) => {
      const kind = setKinds[field];
      if (kind === 'switch') return value === 0 || value === 1;
      return typeof value === (kind === 'type' ? 'number' : 'string');
    }, 'must be a value of its field'),
  z.object({ kind: z.literal('shiftStart'), days }),
  z.object({ kind: z.literal('shiftEnd'), days }),
  z.object({ kind: z.literal('startOn'), date }),
  z.object({ kind: z.literal('endOn'), date }),
  z.object({ kind: z.literal('noEnd') }),
  z.object({ kind: z.literal('status'), status: z.literal([1, 2, 3, 4]) }),
]);

export type CellEdit = z.infer<typeof cellEditSchema>;

export const bulkEditSchema = z.discriminatedUnion('kind', [
  cellEditSchema,
  z.object({
    kind: z.literal('text'),
    fields: z.array(z.enum(textFields)).min(1).max(textFields.length),
    find: z.string().min(1).max(1_000),
    replacement: z.string().max(2_000),
    isPattern: z.boolean(),
    matchesCase: z.boolean(),
  }),
  z.object({
    kind: z.literal('members'),
    list: z.string().min(1).max(100),
    change: z.enum(['add', 'remove', 'replace']),
    members,
    /** If true, adding limits a dimension that targets all values to the added ones. If false, it stays unchanged. */
    limitsAll: z.boolean(),
  }),
  z.object({ kind: z.literal('targetAll'), list: z.string().min(1).max(100) }),
  z.object({
    kind: z.literal('schedule'),
    change: z.enum(['replace', 'add', 'remove']),
    hours,
    /** Time zone of hours that replace the week. Null keeps each campaign's zone, as other changes do. */
    zone: z.string().min(1).max(100).nullable(),
  }),
  z.object({ kind: z.literal('shiftFlight'), days }),
  z.object({
    kind: z.literal('paste'),
    source: z.int().positive(),
    sections: z.array(z.enum(pasteSectionIds)).min(1).max(pasteSectionIds.length),
  }),
]);

export type BulkEdit = z.infer<typeof bulkEditSchema>;
