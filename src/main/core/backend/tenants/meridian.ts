import type { Tenant } from './tenant.ts';

/** A careful network: other codes and bounds, no bid controls, caps or pacing, click URLs fixed after approval. */
export const meridian: Tenant = {
  id: 'meridian',
  types: [
    {
      code: 1,
      type: { name: 'Push Classic', pricing: 'CPC', minBid: 0.02, maxBid: 1.2 },
      format: 'push',
      weight: 30,
      usualBids: [0.03, 0.35],
    },
    {
      code: 2,
      type: { name: 'Site Popunder', pricing: 'CPM', minBid: 0.5, maxBid: 12 },
      format: 'popunder',
      weight: 20,
      usualBids: [0.8, 5],
    },
    {
      code: 4,
      type: { name: 'Banner', pricing: 'CPM', minBid: 0.1, maxBid: 8 },
      format: 'display',
      weight: 25,
      usualBids: [0.3, 2.6],
    },
    {
      code: 7,
      type: { name: 'Contextual Search', pricing: 'CPC', minBid: 0.05, maxBid: 3 },
      format: 'contextual',
      weight: 25,
      usualBids: [0.12, 1.1],
    },
  ],
  settings: {
    enable_bidcontrol: false,
    enable_freq_cap: false,
    enable_traffic_speed: false,
    edit_clickurl: false,
    min_budget: 25,
    postbackurl: 'https://track.meridian.example/pb/{click_id}',
  },
};
