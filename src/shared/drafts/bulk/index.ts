export { bulkEditSchema } from './bulk-edit.ts';
export type { BulkEdit } from './bulk-edit.ts';
export { bulkOutcomeOf, withDraft, withFields } from './bulk-outcome.ts';
export type { BulkField, BulkOutcome } from './bulk-outcome.ts';
export { planBulkEdit } from './bulk-plan.ts';
export type { BulkPlan, FieldChange, PlanParts } from './bulk-plan.ts';
export { bulkTitle } from './bulk-title.ts';
export { filterFields, pasteSectionIds, pasteSectionTitles, textFields } from './bulk-fields.ts';
export type { PasteSectionId } from './bulk-fields.ts';
