import type { CampaignDetail } from '#shared/app-api/index.ts';
import type { AppError, FieldError } from '#shared/errors/index.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { Draft, EditableField } from './draft.ts';

/** One campaign in the panel. A reload keeps what was read before, so nothing flickers and nothing typed is lost. */
export interface OpenCampaign {
  detail: CampaignDetail | null;
  failure: AppError | null;
  draft: Draft;
  /** Field errors of the last refused proposal. */
  refused: FieldError[];
  /** Why the last proposal was not made, apart from field errors. */
  refusal: AppError | null;
  proposing: boolean;
  /** The proposal made of the draft as it stands; null once the draft was touched again. */
  proposedId: string | null;
}

/** What a person does to a draft. */
export interface DraftActions {
  edit: (cid: number, field: EditableField, typed: string) => void;
  revert: (cid: number, field: EditableField) => void;
  discard: (cid: number) => void;
  /** Accepts what moved meanwhile as the new base of the draft. */
  keepMine: (cid: number) => void;
}

export interface EditorState extends DraftActions {
  /** Every campaign that was opened or has a draft, by id. */
  campaigns: Readonly<Record<number, OpenCampaign>>;
  open: (cid: number) => void;
  /** Makes the proposal. Its id, or null with the reason in the campaign's state. */
  propose: (cid: number) => Promise<string | null>;
  /** Keeps the open campaign current. Returns the way to stop. Call once. */
  start: () => () => void;
}

export type EditorStore = StoreApi<EditorState>;

/** The store's own way to one campaign. */
export interface CampaignHandle {
  at: (cid: number) => OpenCampaign;
  put: (cid: number, change: Partial<OpenCampaign>) => void;
}

export const unread: OpenCampaign = {
  detail: null,
  failure: null,
  draft: {},
  refused: [],
  refusal: null,
  proposing: false,
  proposedId: null,
};

/** A draft that was touched: what was said about it before no longer holds. */
export const touched = { refusal: null, proposedId: null } as const;
