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
  'write.waits': { icon: 'clock', tone: 'waiting' },
  'write.sent': { icon: 'arrow-up', tone: 'busy' },
  'write.verified': { icon: 'check-circle', tone: 'good' },
  'write.differs': { icon: 'alert-circle', tone: 'bad' },
  'write.done': { icon: 'check-circle', tone: 'good' },
  'write.refused': { icon: 'alert-circle', tone: 'bad' },
  'write.unknown': { icon: 'help', tone: 'waiting' },
  'key.introduced': { icon: 'shield-check', tone: 'neutral' },
};

/** Kinds of the same subject look alike where none of their own is told. */
const subjects: Record<string, KindLook> = {
  agent: { icon: 'agents', tone: 'neutral' },
  agents: { icon: 'pause', tone: 'waiting' },
  tool: { icon: 'info', tone: 'neutral' },
  guardrails: { icon: 'lock', tone: 'neutral' },
  panic: { icon: 'emergency-stop', tone: 'bad' },
};

/** The sign of a row's kind; the sentence beside it says the same. A kind of a newer program is a plain row. */
export function kindLook(kind: string): KindLook {
  const [subject = ''] = kind.split('.');
  return looks[kind] ?? subjects[subject] ?? { icon: 'ledger', tone: 'neutral' };
}
