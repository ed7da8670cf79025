import type { StoredProposal } from '#core/store/app/index.ts';

type Touching = Pick<StoredProposal, 'profile' | 'targets'>;

/**
 * Knows which reads a write of our own has crossed. Writes on two ways are under way together: one that begins and ends while
 * another one's campaign is being read leaves no lock behind to see.
 */
export interface Crossings {
  /** Reads what a write is compared with. `isCrossed`: another write touched it meanwhile, and it has to be read again. */
  during<T>(proposal: Touching, read: () => Promise<T>): Promise<{ found: T; isCrossed: boolean }>;
  /** The write leaves, or its answer is there. */
  tell(proposal: Touching): void;
}

interface Reading {
  proposal: Touching;
  isCrossed: boolean;
}

export function createCrossings(): Crossings {
  const readings = new Set<Reading>();
  return {
    async during(proposal, read) {
      const reading = { proposal, isCrossed: false };
      readings.add(reading);
      try {
        const found = await read();
        return { found, isCrossed: reading.isCrossed };
      } finally {
        readings.delete(reading);
      }
    },
    tell(write) {
      for (const reading of readings) if (touches(write, reading.proposal)) reading.isCrossed = true;
    },
  };
}

/** A call that names no campaign may touch any one of its profile. */
function touches(write: Touching, { profile, targets }: Touching): boolean {
  if (write.profile.id !== profile.id) return false;
  return write.targets.length === 0 || targets.some((cid) => write.targets.includes(cid));
}
