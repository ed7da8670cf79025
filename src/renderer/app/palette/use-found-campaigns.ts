import { findCampaigns } from '#renderer/stores/campaigns/index.ts';
import type { CampaignRow } from '#shared/contract/index.ts';
import { useEffect, useState } from 'react';
import { matches } from './match.ts';

const delayMs = 120;

/** The first campaigns that match a text or an id, asked of the service once typing rests. Failures find nothing. */
export function useFoundCampaigns(query: string): readonly CampaignRow[] {
  const [found, setFound] = useState<{ query: string; rows: readonly CampaignRow[] }>({
    query: '',
    rows: [],
  });
  const text = query.trim();
  useEffect(() => {
    if (text === '') return;
    let current = true;
    const timer = setTimeout(() => {
      void findCampaigns(text).then((rows) => {
        if (current) setFound({ query: text, rows });
      });
    }, delayMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [text]);
  if (found.query === text) return found.rows;
  // Until the answer comes: of the earlier rows only those that this text finds too.
  return text === '' ? [] : found.rows.filter(({ cid, name }) => matches(`${name} ${cid}`, text));
}
