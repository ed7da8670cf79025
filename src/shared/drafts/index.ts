export { applyDraft, applyOperations, maxTextLength, compilePattern } from './apply.ts';
export type { ApplyResult, AppliedNote } from './apply.ts';
export { checkDraft, fieldStates, type CheckedDraft, type CheckedField, type FieldState } from './check.ts';
export { draftOf, draftOfHours, draftOfMembers, draftToSet, type DraftedField } from './apply.ts';
export { filterFields, listFields, mayBeList, memberKindOf, membersOf } from './lists.ts';
export type { Member, MemberKind } from './lists.ts';
export { fieldDraftSchema, type CampaignDraft, type FieldDraft, type FieldOperation } from './operation.ts';
export { trimEntry } from './entry-faults.ts';
export { skippedInWords, questionInWords, withAnswer, readerOf, readPastedList } from './pasted-list.ts';
export type { PasteAnswers, PastedList, ReadEntry } from './pasted-list.ts';
export { draftedValuesInWords, shiftInWords, bulkTitle } from './words.ts';
export { readTypedAmount, type TypedAmount } from './typed-amount.ts';
export { dateAfter, readDay, readMoment, readTypedDate, type TypedDate } from './typed-date.ts';
export { isCellField, type CellField } from './cell-fields.ts';
export { readTypedCell, settableStatuses, statusByPrefix, type TypedCell } from './typed-cell.ts';
export { bulkEditSchema, cellEditSchema, type BulkEdit, type CellEdit } from './bulk/bulk-edit.ts';
export { bulkOutcomeOf, bulkStates, isDraftable, withDraft, withFields } from './bulk/bulk-outcome.ts';
export type { BulkField, BulkOutcome } from './bulk/bulk-outcome.ts';
export { planBulkEdit, type BulkPlan, type FieldChange, type PlanParts } from './bulk/bulk-plan.ts';
export {
  isCountField,
  pasteSectionIds,
  pasteSectionTitles,
  setFields,
  setKinds,
} from './bulk/bulk-fields.ts';
export { switchOf, textFields } from './bulk/bulk-fields.ts';
export type { AmountField, PasteSectionId, SetField } from './bulk/bulk-fields.ts';
export { fieldsOfKind } from './csv/cells.ts';
export { faultKinds, fileHeader, fileLine, planFileRow, readTable, tooLongFields } from './csv/file-table.ts';
export type { CellChoices, FileFault, FileRow, FileSubject, FileTable } from './csv/file-table.ts';
export { dateOrderOf, dateOrders, decimalMarkOf, decimalMarks, type FileNotation } from './csv/notation.ts';
