/** The calls that are open for each proposal: several of them may have joined one. */
export interface OpenCalls {
  /** A call waits for this proposal. Returns its end, which says whether it was the last one. */
  begin(proposalId: string): () => boolean;
}

export function createOpenCalls(): OpenCalls {
  const counts = new Map<string, number>();
  return {
    begin(proposalId) {
      counts.set(proposalId, (counts.get(proposalId) ?? 0) + 1);
      return () => {
        const left = (counts.get(proposalId) ?? 1) - 1;
        if (left === 0) counts.delete(proposalId);
        else counts.set(proposalId, left);
        return left === 0;
      };
    },
  };
}
