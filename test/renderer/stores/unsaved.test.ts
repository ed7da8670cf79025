import { expect, test } from 'vitest';
import { hasUnsavedEdits, type OpenCampaign, unread } from '#renderer/stores/editor/editor-store.ts';

const typed = { name: { typed: 'New', from: 'Old' } };

test.each<[string, Record<number, OpenCampaign>, boolean]>([
  ['nothing open', {}, false],
  ['a campaign that was only looked at', { 7: unread }, false],
  ['a draft', { 7: { ...unread, draft: typed } }, true],
  ['a draft that was proposed as it stands', { 7: { ...unread, draft: typed, proposedId: 'p1' } }, false],
  ['a draft beside a campaign that was looked at', { 7: unread, 8: { ...unread, draft: typed } }, true],
])('%s', (_what, campaigns, unsaved) => {
  expect(hasUnsavedEdits({ campaigns })).toBe(unsaved);
});
