export interface Findings {
  problems: string[];
  notes: string[];
}

export interface Check {
  name: string;
  remedy: string;
  run(root: string): Findings | Promise<Findings>;
}
