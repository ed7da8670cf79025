export const installFolder = '/opt/countersign';

export const packageName = 'countersign';

export const componentId = 'app.countersign.desktop';

export const summary = 'Approve every change to live ad campaigns';

export const description = [
  'Countersign reads a campaign, shows in plain words what a change would do and how much money is at risk, and sends exactly what a person approved. It reads every change back and records each step in a signed ledger.',
  'Agents may propose changes over MCP; they never approve them. A complete demo service is embedded, so everything can be tried offline.',
];

/** The entry for desktop menus. electron-builder puts the same entry into the AppImage. */
export const desktopEntry = {
  Name: 'Countersign',
  GenericName: 'Campaign change approval',
  Comment: summary,
  Keywords: 'ads;advertising;campaigns;approval;agents;ledger;',
  StartupNotify: 'true',
  // The window class that Electron uses: `desktopName` in package.json.
  StartupWMClass: packageName,
} as const;

const installedEntry = {
  Type: 'Application',
  Exec: `${installFolder}/${packageName}`,
  Icon: packageName,
  Terminal: 'false',
  Categories: 'Office;',
};

export function desktopFile(): string {
  const lines = Object.entries({ ...desktopEntry, ...installedEntry }).map(
    ([key, value]) => `${key}=${value}`,
  );
  return ['[Desktop Entry]', ...lines, ''].join('\n');
}

export function metainfoFile({ version, date }: { version: string; date: string }): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>${componentId}</id>
  <name>${desktopEntry.Name}</name>
  <summary>${summary}</summary>
  <developer id="app.countersign">
    <name>Countersign</name>
  </developer>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>LicenseRef-proprietary</project_license>
  <description>
${description.map((text) => `    <p>${text}</p>`).join('\n')}
  </description>
  <launchable type="desktop-id">${packageName}.desktop</launchable>
  <provides>
    <binary>${packageName}</binary>
  </provides>
  <content_rating type="oars-1.1" />
  <releases>
    <release version="${version}" date="${date}" />
  </releases>
</component>
`;
}
