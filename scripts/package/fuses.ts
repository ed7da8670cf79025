import { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';

export const fuses: Record<FuseV1Options, boolean> = {
  // The app is no plain Node: it takes no Node options and no debugger.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Only the archive that was packaged is loaded, and only while it has the hash that it had then.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.EnableCookieEncryption]: true,
  // The app ships no snapshot of its own, and shows no page by file://.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // As Electron has it: without them WebAssembly checks its bounds more slowly.
  [FuseV1Options.WasmTrapHandlers]: true,
};

/**
 * Sets every fuse of a program. Fails where the program has one that the table above does not name. A fuse that an older
 * Electron does not have yet is left out there. On macOS `resetAdHocSignature` signs the app anew, with no certificate.
 */
export async function setFuses(
  program: string,
  { resetAdHocSignature }: { resetAdHocSignature: boolean },
): Promise<void> {
  const present = await getCurrentFuseWire(program);
  const named = Object.entries(fuses).filter(([fuse]) => fuse in present);
  await flipFuses(program, {
    ...(Object.fromEntries(named) as typeof fuses),
    version: FuseVersion.V1,
    resetAdHocDarwinSignature: resetAdHocSignature,
    strictlyRequireAllFuses: true,
  });
}
