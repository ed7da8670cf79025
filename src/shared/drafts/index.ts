export { applyDraft, applyOperations, maxTextLength, patternOf } from './apply.ts';
export type { Applied, AppliedNote } from './apply.ts';
export { checkDraft, fieldStates, type CheckedDraft, type CheckedField, type FieldState } from './check.ts';
export { draftOf, draftOfHours, draftOfMembers, draftToSet, type DraftedField } from './field-draft.ts';
export { filterFields, listFields, mayBeList, memberKindOf, membersOf } from './lists.ts';
export type { Member, MemberKind } from './lists.ts';
export { fieldDraftSchema, type CampaignDraft, type FieldDraft, type FieldOperation } from './operation.ts';
export { trimmedEntry } from './entry-faults.ts';
export { leftOutInWords, questionInWords, withAnswer } from './paste-words.ts';
export { readerOf, readPastedList } from './pasted-list.ts';
export type { PasteAnswers, PastedList, ReadEntry } from './pasted-list.ts';
export { draftedValuesInWords, shiftInWords } from './words.ts';
export { readTypedAmount, type TypedAmount } from './typed-amount.ts';
export { dateAfter, readTypedDate, type TypedDate } from './typed-date.ts';
export { bulkEditSchema, type BulkEdit } from './bulk/bulk-edit.ts';
export { bulkOutcomeOf, bulkStates, isDraftable, withDraft, withFields } from './bulk/bulk-outcome.ts';
export type { BulkField, BulkOutcome } from './bulk/bulk-outcome.ts';
export { planBulkEdit, type BulkPlan, type FieldChange, type PlanParts } from './bulk/bulk-plan.ts';
export { bulkTitle } from './bulk/bulk-title.ts';
export {
  isCount,
  pasteSectionIds,
  pasteSectionTitles,
  setFields,
  setKinds,
  switchOf,
  textFields,
} from './bulk/bulk-fields.ts';
export type { AmountField, PasteSectionId, SetField } from './bulk/bulk-fields.ts';
export { fieldsWithCell } from './csv/cells.ts';
export { faultKinds, fileHead, fileLine, planFileRow, readTable, tooLongCells } from './csv/file-table.ts';
export type { CellChoices, FileFault, FileRow, FileSubject, FileTable } from './csv/file-table.ts';
export { dateOrderOf, dateOrders, decimalMarkOf, decimalMarks, type FileNotation } from './csv/notation.ts';
