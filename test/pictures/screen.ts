import { execFileSync } from 'node:child_process';
import type { ElectronApplication } from 'playwright';
import { onTestFinished } from 'vitest';
import { desktopOrigins } from '#shared/host-api/index.ts';
import { requireTool } from '#test/servers/require-tool.ts';
import { pictureFile, type Theme } from './camera.ts';
import { frameWindows, walls } from './window-manager.ts';

/** A rectangle on the screen in pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The screen on which an app draws, as a person sees it: overlapping windows with menu bars. */
export interface Screen {
  /**
   * Moves a window, resizes its page and focuses it; resolves with the area of the whole window, including frame and menu
   * bar.
   */
  place(name: keyof typeof desktopOrigins, place: Area): Promise<Area>;
  /** Saves this area of the screen as a picture. */
  take(name: string, area: Area): void;
}

/** Returns the screen of a running app. Adds frames around its windows and a wallpaper until the test ends. */
export async function screenOf(electron: ElectronApplication, theme: Theme): Promise<Screen> {
  const { DISPLAY = '', XAUTHORITY = '' } = await electron.evaluate(() => process.env);
  const env = { ...process.env, DISPLAY, XAUTHORITY };
  const run = (tool: string, debianPackage: string, args: string[]): string =>
    execFileSync(requireTool(tool, debianPackage), args, {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    });
  run('xsetroot', 'x11-xserver-utils', ['-solid', walls[theme]]);
  onTestFinished(await frameWindows(theme, env));
  return {
    async place(name, place) {
      const { id, bounds } = await electron.evaluate(
        async ({ BrowserWindow }, { address, x, y, width, height }) => {
          const window = BrowserWindow.getAllWindows().find(({ webContents }) =>
            webContents.getURL().startsWith(address),
          );
          if (!window) throw new Error(`No window at ${address}`);
          window.setContentSize(width, height);
          window.setPosition(x, y);
          window.focus();
          await new Promise((resolve) => setTimeout(resolve, 500));
          return { id: window.getNativeWindowHandle().readUInt32LE(), bounds: window.getBounds() };
        },
        { address: desktopOrigins[name], ...place },
      );
      const extents = run('xprop', 'x11-utils', ['-id', String(id), '_NET_FRAME_EXTENTS']);
      return framed(bounds, extents.match(/\d+/g)?.map(Number) ?? []);
    },
    take(name, { x, y, width, height }) {
      const crop = `${width}x${height}+${x}+${y}`;
      // Without timestamps, which would change the file of every picture.
      const plain = ['-strip', '-define', 'png:exclude-chunks=date,time'];
      run('import', 'imagemagick', [
        '-silent',
        '-window',
        'root',
        '-crop',
        crop,
        '+repage',
        ...plain,
        pictureFile(name),
      ]);
    },
  };
}

/** Returns a window's area with its frame, whose widths are given as left, right, top and bottom. */
function framed(area: Area, [left = 0, right = 0, top = 0, bottom = 0]: number[]): Area {
  return {
    x: area.x - left,
    y: area.y - top,
    width: area.width + left + right,
    height: area.height + top + bottom,
  };
}
