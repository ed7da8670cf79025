import { targetingDimensions } from '../targeting.ts';

/** Fields that belong together, as the contract groups them (§2.4). */
export interface FieldGroup {
  title: string;
  fields: readonly string[];
}

/** Every contract field in readable sections. Fields that the contract does not name come last, under a title of the caller's. */
export const fieldGroups: readonly FieldGroup[] = [
  {
    title: 'Identity & pricing',
    fields: ['cid', 'uid', 'name', 'type', 'status', 'payout', 'clickurl', 'website'],
  },
  { title: 'Creative', fields: ['title', 'description', 'icon', 'image'] },
  {
    title: 'Budget & flight',
    fields: [
      'enable_budget',
      'd_revenue',
      't_revenue',
      'enable_time',
      'create',
      'create_time',
      'expire',
      'expire_time',
    ],
  },
  {
    title: 'Delivery',
    fields: [
      'enable_shedule',
      'shedule',
      'shedule_timezone',
      'freq_cap',
      'freq_counter',
      'traffic_speed',
      'traffic_speed_counter',
    ],
  },
  { title: 'Targeting', fields: targetingDimensions.flatMap(({ flag, list }) => [flag, list]) },
  { title: 'Keywords & filters', fields: ['keywords_enabled', 'keywords_whitelist', 'keywords_blocklist'] },
  { title: 'Bid controls', fields: ['bidControl'] },
];
