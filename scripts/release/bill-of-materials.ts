import { createHash } from 'node:crypto';
import type { Notice } from '../lib/notices.ts';

interface Sources {
  version: string;
  notices: string;
  lockfile: string;
  electronChecksums: string;
}

/**
 * The bill of materials of a release in CycloneDX 1.6. It lists the contents of the packages, not the build tools: bundled
 * packages and Electron, which has its own list for Chromium. A build always gives the same bill.
 */
export function billOfMaterials({ version, notices, lockfile, electronChecksums }: Sources): object {
  const { packages } = JSON.parse(lockfile) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  const integrityOf = (notice: Notice): string | undefined =>
    Object.entries(packages).find(
      ([path, { version: locked }]) =>
        path.endsWith(`node_modules/${notice.name}`) && locked === notice.version,
    )?.[1].integrity;
  const checksums = JSON.parse(electronChecksums) as Record<string, string>;
  const parts = (JSON.parse(notices) as Notice[]).map((notice) => ({
    ...componentOf(notice),
    ...(notice.name === 'electron'
      ? { externalReferences: runtimeArchives(notice.version, checksums) }
      : hashesOf(integrityOf(notice))),
  }));
  const root = `pkg:generic/countersign@${version}`;
  const refs = parts.map((part) => part['bom-ref']);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([root, parts]))}`,
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': root, name: 'countersign', version, purl: root },
    },
    components: parts,
    dependencies: [{ ref: root, dependsOn: refs }, ...refs.map((ref) => ({ ref }))],
  };
}

function componentOf({ name, version, identifier }: Notice) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [scope, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: name === 'electron' ? 'framework' : 'library',
    'bom-ref': purl,
    ...(scope !== undefined && { group: scope }),
    name: plain,
    version,
    licenses: [
      / (?:AND|OR|WITH) /.test(identifier) ? { expression: identifier } : { license: { id: identifier } },
    ],
    purl,
  };
}

function hashesOf(integrity: string | undefined): object {
  if (integrity === undefined) return {};
  const [algorithm = '', base64 = ''] = integrity.split('-');
  const content = Buffer.from(base64, 'base64').toString('hex');
  return { hashes: [{ alg: algorithm.replace('sha', 'SHA-'), content }] };
}

/**
 * The archives of the runtime in the packages. The lockfile only has the hash of the npm package that downloads them, which is
 * not part of a release. Fails if an archive has no checksum.
 */
function runtimeArchives(version: string, checksums: Readonly<Record<string, string>>): object[] {
  return ['linux', 'darwin', 'win32'].flatMap((system) =>
    ['x64', 'arm64'].map((arch) => {
      const name = `electron-v${version}-${system}-${arch}.zip`;
      const content = checksums[name];
      if (content === undefined) throw new Error(`Electron’s package has no checksum of ${name}`);
      const url = `https://github.com/electron/electron/releases/download/v${version}/${name}`;
      return { type: 'distribution', url, hashes: [{ alg: 'SHA-256', content }] };
    }),
  );
}

/** A UUID derived from a text, so that equal bills have equal numbers. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
