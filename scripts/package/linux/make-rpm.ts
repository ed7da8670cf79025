import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { description, installFolder, packageName, summary } from './metadata.ts';
import { packageVersion, type PackedApp } from './packed-app.ts';
import { layOutTree } from './tree.ts';

const architectures = { x64: 'x86_64', arm64: 'aarch64' };

/**
 * Libraries that Electron opens at runtime. They must be named, because rpm finds only linked libraries. The names are common
 * to Fedora and openSUSE.
 */
const opened = ['libnotify.so.4()(64bit)', 'libsecret-1.so.0()(64bit)', 'xdg-utils'];

export function makeRpm(app: PackedApp, into: string): string {
  const work = mkdtempSync(join(tmpdir(), 'countersign-rpm-'));
  try {
    const tree = join(work, 'tree');
    layOutTree(tree, app);
    const spec = join(work, `${packageName}.spec`);
    writeFileSync(spec, specification(app, tree));
    const target = architectures[app.arch];
    execFileSync('rpmbuild', ['-bb', '--quiet', '--target', target, '--define', `_topdir ${work}`, spec], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(app.epochSeconds) },
    });
    const [name] = readdirSync(join(work, 'RPMS', target));
    if (name === undefined) throw new Error('rpmbuild has made no package');
    mkdirSync(into, { recursive: true });
    const made = join(into, name);
    copyFileSync(join(work, 'RPMS', target, name), made);
    return made;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function specification(app: PackedApp, tree: string): string {
  return `# The files come as they were built: nothing is stripped, and no build ids are linked.
%global debug_package %{nil}
%global __os_install_post %{nil}
%global _build_id_links none
%global _binary_payload w19.zstdio
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
# Libraries in our folder are for this program alone: they are neither offered to others nor asked of them.
%global __provides_exclude_from ^${installFolder}/.*$
%global __requires_exclude ^lib(ffmpeg|EGL|GLESv2|vk_swiftshader|vulkan)[.]so.*$

Name: ${packageName}
Version: ${packageVersion(app)}
Release: 1
Summary: ${summary}
License: LicenseRef-Proprietary
Vendor: Countersign
Group: Applications/Productivity
${opened.map((name) => `Requires: ${name}`).join('\n')}
Recommends: ca-certificates

%description
${description.join('\n\n')}

%install
mkdir -p %{buildroot}
cp -a '${tree}/.' %{buildroot}

%files
%defattr(-,root,root,-)
${installFolder}
/usr/bin/${packageName}
/usr/share/applications/*
/usr/share/metainfo/*
/usr/share/icons/hicolor/*/apps/*
%doc /usr/share/doc/${packageName}
`;
}
