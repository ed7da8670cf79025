import type { Tenant } from './tenant.ts';

/** A broad marketplace: everything is switched on, small minimum budget. */
export const northwind: Tenant = {
  id: 'northwind',
  types: [
    {
      code: 3,
      type: { name: 'Push', pricing: 'CPC', minBid: 0.005, maxBid: 2.5 },
      format: 'push',
      weight: 34,
      usualBids: [0.018, 0.24],
    },
    {
      code: 5,
      type: { name: 'In-Page Push', pricing: 'CPC', minBid: 0.003, maxBid: 2 },
      format: 'push',
      weight: 10,
      usualBids: [0.012, 0.15],
    },
    {
      code: 7,
      type: { name: 'Contextual', pricing: 'CPC', minBid: 0.01, maxBid: 5 },
      format: 'contextual',
      weight: 12,
      usualBids: [0.08, 0.95],
    },
    {
      code: 11,
      type: { name: 'Popunder', pricing: 'CPV', minBid: 0.0005, maxBid: 0.25 },
      format: 'popunder',
      weight: 18,
      usualBids: [0.001, 0.018],
    },
    {
      code: 12,
      type: { name: 'Popunder Premium', pricing: 'CPM', minBid: 0.25, maxBid: 25 },
      format: 'popunder',
      weight: 8,
      usualBids: [0.9, 6.5],
    },
    {
      code: 15,
      type: { name: 'Native', pricing: 'CPC', minBid: 0.008, maxBid: 3 },
      format: 'native',
      weight: 10,
      usualBids: [0.025, 0.38],
    },
    {
      code: 18,
      type: { name: 'Display', pricing: 'CPM', minBid: 0.05, maxBid: 15 },
      format: 'display',
      weight: 8,
      usualBids: [0.2, 3.4],
    },
  ],
  settings: {
    enable_bidcontrol: true,
    enable_freq_cap: true,
    enable_traffic_speed: true,
    edit_clickurl: true,
    min_budget: 10,
    postbackurl: 'https://postback.northwind.example/conversion?click_id={click_id}&payout={payout}',
  },
};
