import { quoted } from '../../lib/inert-text.ts';

/** What people call the fields of a campaign (contract §2.4). */
const labels: ReadonlyMap<string, string> = new Map([
  ['cid', 'Campaign id'],
  ['uid', 'Account'],
  ['name', 'Name'],
  ['type', 'Type'],
  ['status', 'Status'],
  ['payout', 'Bid'],
  ['clickurl', 'Click URL'],
  ['website', 'Website'],
  ['title', 'Title'],
  ['description', 'Description'],
  ['icon', 'Icon'],
  ['image', 'Main image'],
  ['enable_budget', 'Budget limits'],
  ['d_revenue', 'Daily budget'],
  ['t_revenue', 'Total budget'],
  ['enable_time', 'Flight'],
  ['create', 'Start date'],
  ['create_time', 'Start time'],
  ['expire', 'End date'],
  ['expire_time', 'End time'],
  ['enable_shedule', 'Weekly schedule'],
  ['shedule', 'Scheduled hours'],
  ['shedule_timezone', 'Schedule time zone'],
  ['freq_cap', 'Frequency cap'],
  ['freq_counter', 'Frequency count'],
  ['traffic_speed', 'Pacing'],
  ['traffic_speed_counter', 'Pacing count'],
  ['geo_enabled', 'Country targeting'],
  ['geo', 'Countries'],
  ['os_enabled', 'Operating system targeting'],
  ['os', 'Operating systems'],
  ['os_versions_enabled', 'OS version targeting'],
  ['os_versions', 'OS versions'],
  ['browsers_enabled', 'Browser targeting'],
  ['browsers', 'Browsers'],
  ['browser_versions_enabled', 'Browser version targeting'],
  ['browser_versions', 'Browser versions'],
  ['devices_enabled', 'Device targeting'],
  ['devices', 'Device types'],
  ['categories_enabled', 'Category targeting'],
  ['categories', 'Categories'],
  ['lang_enabled', 'Language targeting'],
  ['lang', 'Languages'],
  ['connection_enabled', 'Connection targeting'],
  ['connection', 'Connection types'],
  ['traffic_type_enabled', 'Traffic type targeting'],
  ['traffic_type', 'Traffic types'],
  ['exchanges_enabled', 'Exchange targeting'],
  ['exchanges', 'Exchanges'],
  ['keywords_enabled', 'Keywords'],
  ['keywords_whitelist', 'Keyword allow list'],
  ['keywords_blocklist', 'Keyword block list'],
  ['bidControl', 'Bid controls'],
]);

/**
 * The field's name for people. A field that the contract does not name keeps its own, quoted where it could pass for
 * one of ours.
 */
export function fieldLabel(field: string): string {
  return labels.get(field) ?? (/^[a-z][a-z0-9_]*$/.test(field) ? field : quoted(field));
}

/** Every field that the contract names, in its order (§2.4). */
export const contractFields: readonly string[] = [...labels.keys()];

/** True for the name of a text that is a list of entries: filters are named by the service (contract §2.4). */
export function isListName(name: string): boolean {
  return /block|black|white|allow|deny|exclu|includ|ignore|list|filter|keyword/i.test(name);
}

/** True for a field that neither the contract names nor its name shows to be a list: it may decide anything. */
export function isUnknownField(field: string): boolean {
  return !labels.has(field) && !isListName(field);
}
