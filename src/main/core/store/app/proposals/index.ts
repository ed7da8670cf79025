export { maxLastWrites } from './campaign-history.ts';
export type { Comparison } from './campaign-history.ts';
export type { ProposalPruner, PrunableProposal } from './proposal-pruning.ts';
export type { ProposalPageQuery, ProposalReader } from './proposal-reader.ts';
export { createProposalRows } from './proposal-rows.ts';
export type { ProposalWriter } from './proposal-rows.ts';
export type {
  ComparedField,
  FieldOperand,
  Headline,
  ListedProposal,
  ProposalPatch,
  StoredProposal,
} from './proposal-row.ts';
