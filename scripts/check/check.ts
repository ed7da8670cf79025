export interface Findings {
  /** Each one fails the check. Names the file, what is wrong and what would be right. */
  problems: string[];
  /** Worth a look; fails nothing. */
  notes: string[];
}

/** One property of the tree that `npm run check` proves. */
export interface Check {
  name: string;
  /** The usual remedy, one sentence. */
  remedy: string;
  /** Looks at the project in `root`. Throws only when the check itself cannot run. */
  run(root: string): Findings | Promise<Findings>;
}
