import type { BackendReader } from '#core/store/backend/index.ts';
import type { TaskDefinition } from '../definition/definition.ts';

/** What somebody should know before agreeing to a task, in plain words. */
export function taskWarnings(definition: TaskDefinition, read: BackendReader, uid: number): string[] {
  const missed = 'Due times that pass while the service is down are not made up for: one run follows.';
  if (definition.kind === 'report_export') {
    return [`Each time it is due, a report is made and kept; the newest ones can be read. ${missed}`];
  }
  const warnings = [
    `Each time it is due, nothing is changed yet: an approval waits, and a person decides. ${missed}`,
  ];
  if (definition.kind === 'campaign_bid') return warnings;
  const { cids, status } = definition.parameters;
  if (status === 'active') warnings.push('Active campaigns spend money.');
  const starts = status === 'active' || status === 'scheduled';
  const own = [...read.statuses(uid, cids).keys()];
  const waiting = own.filter((cid) => read.isUnapproved(cid));
  if (starts && waiting.length > 0) {
    warnings.push(`Not approved, and refused when due unless that has changed: ${waiting.join(', ')}.`);
  }
  return warnings;
}
