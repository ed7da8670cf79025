import { flipFuses, FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';

export const fuses: Record<FuseV1Options, boolean> = {
  // The app must not run as plain Node: it accepts no Node options and no debugger.
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  // Only the packaged archive is loaded, and only with its original hash.
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.EnableCookieEncryption]: true,
  // The app has no snapshot of its own, and shows no page by file://.
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // Electron's default: without it, WebAssembly checks its bounds more slowly.
  [FuseV1Options.WasmTrapHandlers]: true,
};

/**
 * Sets every fuse of a program. Fails if the program has a fuse that the table above does not name. Skips fuses that an older
 * Electron does not have. On macOS `resetAdHocSignature` signs the app again, without a certificate.
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
