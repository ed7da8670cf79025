import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireTool } from '#test/servers/require-tool.ts';
import { tempFolder } from '#test/servers/temp-folder.ts';
import type { Theme } from './camera.ts';

/** Wallpapers that contrast with every window. */
export const walls: Record<Theme, string> = { light: '#c9d0da', dark: '#39424f' };

const frames = {
  light: { title: '#e9ecf1', text: '#1c232e', faint: '#6b7480', edge: '#aab3bf' },
  dark: { title: '#1b212a', text: '#e4e8ee', faint: '#8b95a3', edge: '#4a5463' },
};

/** Plain frames, so that pictures show the app and not a desktop theme. */
function frameTheme(theme: Theme): string {
  const { title, text, faint, edge } = frames[theme];
  return `
border.width: 1
border.color: ${edge}
window.client.padding.width: 0
window.client.padding.height: 0
window.handle.width: 0
padding.width: 10
padding.height: 6
window.*.title.bg: flat solid
window.*.title.bg.color: ${title}
window.*.label.bg: parentrelative
window.active.label.text.color: ${text}
window.inactive.label.text.color: ${faint}
window.*.button.*.bg: parentrelative
window.active.button.*.image.color: ${text}
window.inactive.button.*.image.color: ${faint}
window.label.text.justify: center
`;
}

const configuration = `<?xml version="1.0"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <theme><name>Calm</name><titleLayout>NLIMC</titleLayout>
    <font place="ActiveWindow"><name>sans</name><size>10</size></font>
    <font place="InactiveWindow"><name>sans</name><size>10</size></font>
  </theme>
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <!-- No person has pressed a key on this display, so the pictures disturb no one. -->
  <applications><application class="*"><focus>yes</focus></application></applications>
</openbox_config>
`;

/** Starts a window manager that gives windows a frame with a title. Resolves when it runs; the returned function ends it. */
export async function frameWindows(theme: Theme, display: NodeJS.ProcessEnv): Promise<() => void> {
  const home = tempFolder();
  const folder = join(home, 'themes/Calm/openbox-3');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'themerc'), frameTheme(theme));
  writeFileSync(join(home, 'rc.xml'), configuration);
  const manager = spawn(
    requireTool('setpriv', 'util-linux'),
    ['--pdeathsig', 'KILL', '--', requireTool('openbox'), '--config-file', join(home, 'rc.xml')],
    { env: { ...display, HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home }, stdio: 'ignore' },
  );
  await new Promise((resolve) => setTimeout(resolve, 500));
  return () => void manager.kill('SIGTERM');
}
