import type { PillTone, IconName } from '#renderer/ui/index.ts';
import type { MarkSign, ReportSource } from '#shared/app-api/index.ts';

/** Each sign by its word, icon and weight: none of them is told by its colour alone. */
export const signLooks: Readonly<Record<MarkSign, { label: string; icon: IconName; tone: PillTone }>> = {
  good: { label: 'Good', icon: 'good', tone: 'good' },
  watch: { label: 'Watch', icon: 'watch', tone: 'waiting' },
  bad: { label: 'Bad', icon: 'bad', tone: 'bad' },
  note: { label: 'Note', icon: 'note', tone: 'neutral' },
};

/** `XML traffic 101`, `Search feed 7`, `Search, all feeds`. */
export function sourceLabel(source: ReportSource): string {
  if (source.kind === 'xml') return `XML traffic ${source.tid}`;
  return source.sid === null ? 'Search, all feeds' : `Search feed ${source.sid}`;
}
