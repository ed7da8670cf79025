/** What agents said of the change that they want next, by session; forgotten with it. In memory: no session outlives the program. */
export interface Notes {
  keep(sessionId: string, text: string): void;
  /** The note of this session, which is not kept any longer; null where there is none. */
  take(sessionId: string): string | null;
  forget(sessionId: string): void;
}

/** A call that fails after the end of its session leaves its note; the oldest make room. */
const mostNotes = 500;

export function createNotes(): Notes {
  const notes = new Map<string, string>();
  return {
    keep(sessionId, text) {
      notes.delete(sessionId);
      notes.set(sessionId, text);
      const [oldest] = notes.keys();
      if (notes.size > mostNotes && oldest !== undefined) notes.delete(oldest);
    },
    take(sessionId) {
      const text = notes.get(sessionId) ?? null;
      notes.delete(sessionId);
      return text;
    },
    forget: (sessionId) => void notes.delete(sessionId),
  };
}
