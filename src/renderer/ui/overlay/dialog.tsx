import { useLayoutEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { IconButton } from '../controls/icon-button.tsx';
import styles from './overlay.module.css';

/** True while a dialog keeps the page below it out of reach, whatever has the focus in it. */
export const modalIsOpen = (): boolean => document.querySelector('dialog:modal') !== null;

export interface DialogProps {
  title: string;
  onClose: () => void;
  /** Draws no head; the content brings its own first line, for example a search box. */
  bare?: boolean;
  children: ReactNode;
}

/** A modal dialog on the native element: the focus stays inside, Escape and a press outside close it, the focus returns. */
export function Dialog({ title, onClose, bare = false, children }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the next event: a key that follows the one that opened it already belongs to the dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    const returnTo = document.activeElement;
    element?.showModal();
    // The browser turns to the first control, which is Close; a field that asks for the focus comes before it.
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => {
      element?.close();
      if (returnTo instanceof HTMLElement) returnTo.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {bare ? (
        children
      ) : (
        <>
          <div className={styles.head}>
            <h2 className={styles.dialogTitle}>{title}</h2>
            <IconButton icon="close" label="Close" size="small" onClick={onClose} />
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it may scroll, and the keyboard scrolls only what can have the focus */}
          <div className={styles.body} tabIndex={0}>
            {children}
          </div>
        </>
      )}
    </dialog>
  );
}
