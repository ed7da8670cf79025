import type { IconName, PillTone } from '#renderer/ui/index.ts';

interface KindLook {
  icon: IconName;
  tone: PillTone;
}

const looks: Record<string, KindLook> = {
  'proposal.proposed': { icon: 'proposals', tone: 'neutral' },
  'proposal.shown': { icon: 'monitor', tone: 'neutral' },
  'proposal.approved': { icon: 'check', tone: 'busy' },
  'proposal.denied': { icon: 'close', tone: 'neutral' },
  'proposal.expired': { icon: 'clock', tone: 'neutral' },
  'proposal.withdrawn': { icon: 'reset', tone: 'neutral' },
  'proposal.stale': { icon: 'warning', tone: 'waiting' },
  'write.intent': { icon: 'lock', tone: 'busy' },
  'write.sent': { icon: 'arrow-up', tone: 'busy' },
  'write.verified': { icon: 'check-circle', tone: 'good' },
  'write.differs': { icon: 'alert-circle', tone: 'bad' },
  'write.refused': { icon: 'alert-circle', tone: 'bad' },
  'write.unknown': { icon: 'help', tone: 'waiting' },
  'key.introduced': { icon: 'shield-check', tone: 'neutral' },
};

/** The sign of a row's kind; the sentence beside it says the same. A kind of a newer program is a plain row. */
export function kindLook(kind: string): KindLook {
  return looks[kind] ?? { icon: 'ledger', tone: 'neutral' };
}
