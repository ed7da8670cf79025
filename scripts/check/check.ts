export interface Findings {
  /** Each one fails the check. Names the file, what is wrong and what would be right. */
  problems: string[];
  notes: string[];
}

export interface Check {
  name: string;
  remedy: string;
  /** Looks at the project in `root`. Throws only when the check itself cannot run. */
  run(root: string): Findings | Promise<Findings>;
}
