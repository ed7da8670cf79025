import type { StoredProposal } from '#core/store/app/index.ts';

type Touching = Pick<StoredProposal, 'profile' | 'targets'>;

/**
 * Knows which comparisons overlapped a write of our own. Writes through two channels are under way together: one that begins and ends
 * while another one's campaign is being read leaves no lock to see.
 */
export interface Overlaps {
  /** Reads the campaign for a comparison. `isOverlapped`: another write touched it meanwhile, and it has to be read again. */
  during<T>(proposal: Touching, read: () => Promise<T>): Promise<{ found: T; isOverlapped: boolean }>;
  /** A write is sent now, or was answered now. */
  tell(proposal: Touching): void;
}

interface Reading {
  proposal: Touching;
  isOverlapped: boolean;
}

export function createOverlaps(): Overlaps {
  const readings = new Set<Reading>();
  return {
    async during(proposal, read) {
      const reading = { proposal, isOverlapped: false };
      readings.add(reading);
      try {
        const found = await read();
        return { found, isOverlapped: reading.isOverlapped };
      } finally {
        readings.delete(reading);
      }
    },
    tell(write) {
      for (const reading of readings) if (touches(write, reading.proposal)) reading.isOverlapped = true;
    },
  };
}

/** A call that names no campaign may touch any one of its profile. */
function touches(write: Touching, { profile, targets }: Touching): boolean {
  if (write.profile.id !== profile.id) return false;
  return write.targets.length === 0 || targets.some((cid) => write.targets.includes(cid));
}
