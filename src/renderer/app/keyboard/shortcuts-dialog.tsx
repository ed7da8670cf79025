import { uiStore } from '#renderer/stores/ui/index.ts';
import { Dialog, KeyHint } from '#renderer/ui/index.ts';
import type { ReactElement } from 'react';
import { shortcuts } from './shortcuts.ts';
import styles from '../palette/palette.module.css';

/** All shortcuts, by place. */
export function ShortcutsDialog(): ReactElement {
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => uiStore.getState().show(null)}>
      <div className={styles.groups}>
        {shortcuts.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className={styles.title}>{title}</h3>
            {keys.map((shortcut) => (
              <div key={shortcut.does} className={styles.row}>
                <span>{shortcut.does}</span>
                <KeyHint keys={shortcut.keys} />
              </div>
            ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}
