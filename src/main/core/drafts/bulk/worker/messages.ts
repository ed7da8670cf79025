/** The texts of one field, in any number of campaigns. */
export interface FieldTexts {
  field: string;
  texts: string[];
}

/** Work of the bulk worker: what may take for ever with an input that a person or a file chose. */
export interface BulkWork {
  /** Replaces in every text; null for a result that is too long. */
  replace: {
    input: { find: string; replacement: string; matchesCase: boolean; fields: FieldTexts[] };
    output: { field: string; texts: (string | null)[] }[];
  };
}

export type BulkWorkKind = keyof BulkWork;

/** One piece of work, given to a worker at its start. */
export type BulkTask = { [K in BulkWorkKind]: { kind: K; input: BulkWork[K]['input'] } }[BulkWorkKind];

/** From the worker: the part that it begins with, and the result. */
export type BulkMessage = { kind: 'at'; part: string } | { kind: 'done'; output: unknown };
