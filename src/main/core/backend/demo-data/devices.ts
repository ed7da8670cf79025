/** What a campaign is aimed at; `label` stands in its name. Empty lists mean every value. */
export interface DeviceTarget {
  label: string;
  devices: readonly string[];
  os: readonly string[];
  versions: readonly string[];
  browsers: readonly string[];
  browserVersions: readonly string[];
}

const none = { devices: [], os: [], versions: [], browsers: [], browserVersions: [] };

/** Device targets as buyers split their campaigns. */
export const deviceTargets: readonly DeviceTarget[] = [
  {
    ...none,
    label: 'Android 9+',
    devices: ['mobile'],
    os: ['Android'],
    versions: [
      'Android 9',
      'Android 10',
      'Android 11',
      'Android 12',
      'Android 13',
      'Android 14',
      'Android 15',
    ],
  },
  { ...none, label: 'Android', devices: ['mobile', 'tablet'], os: ['Android'] },
  {
    ...none,
    label: 'Android · Chrome',
    devices: ['mobile'],
    os: ['Android'],
    browsers: ['Chrome Mobile', 'Samsung Internet'],
  },
  { ...none, label: 'iOS', devices: ['mobile', 'tablet'], os: ['iOS'], browsers: ['Mobile Safari'] },
  { ...none, label: 'iOS 17+', devices: ['mobile'], os: ['iOS'], versions: ['iOS 17', 'iOS 18', 'iOS 26'] },
  { ...none, label: 'desktop', devices: ['desktop'], os: ['Windows', 'macOS', 'Linux'] },
  {
    ...none,
    label: 'Windows',
    devices: ['desktop'],
    os: ['Windows'],
    versions: ['Windows 10', 'Windows 11'],
    browsers: ['Chrome', 'Edge', 'Firefox'],
    browserVersions: ['Chrome 140', 'Chrome 141', 'Edge 141', 'Firefox 144'],
  },
  { ...none, label: 'mobile', devices: ['mobile', 'tablet'] },
  { ...none, label: 'all devices' },
];
