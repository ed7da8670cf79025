/** What the service prepared for an agent, by its approval. */
export interface PreparedMemory {
  keep(change: PreparedBody & { agentId: string; approvalId: string }): void;
  find(agentId: string, approvalId: string): PreparedBody | null;
}

export interface PreparedBody {
  /** The tool that prepared it. */
  tool: string;
  /** The answer's `data` as canonical JSON text. */
  body: string;
  expiresAtMs: number;
}
