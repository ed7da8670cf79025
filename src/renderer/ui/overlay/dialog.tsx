import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Button, IconButton } from '../controls/buttons.tsx';
import { Banner, type BannerProps } from '../display/notices.tsx';
import { ForeignText } from '../display/values.tsx';
import styles from './overlay.module.css';
import common from '../styles/common.module.css';
import { cx } from '../cx.ts';

export const modalIsOpen = (): boolean => document.querySelector('dialog:modal') !== null;

export interface DialogProps {
  /** The title in the app's own words. Untrusted names in it are quoted. */
  title: string;
  onClose: () => void;
  bare?: boolean;
  children: ReactNode;
}

export function Dialog({ title, onClose, bare = false, children }: DialogProps): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  /** A click outside closes the dialog only if the press began outside. Selecting text may end outside. */
  const isPressedBeside = useRef(false);
  // A layout effect, because the key after the one that opened the dialog must already reach the dialog.
  useLayoutEffect(() => {
    const element = dialog.current;
    const returnTo = document.activeElement;
    element?.showModal();
    // The browser would focus the first control, which is Close.
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
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && isPressedBeside.current) onClose();
      }}
    >
      {bare ? (
        children
      ) : (
        <>
          <div className={styles.head}>
            <h2 className={common.heading}>
              <ForeignText text={title} />
            </h2>
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

export function DialogFoot({ children }: { children: ReactNode }): ReactElement {
  return <div className={styles.dialogFoot}>{children}</div>;
}

export interface QuestionProps {
  title: string;
  children: ReactNode;
  /** The label of the button that cancels. It has the focus, and Escape presses it. */
  stay: string;
  goOn: string;
  onStay: () => void;
  onGoOn: () => void;
}

export function Question({ title, children, stay, goOn, onStay, onGoOn }: QuestionProps): ReactElement {
  return (
    <Dialog bare title={title} onClose={onStay}>
      <div className={cx(common.stack2, styles.question)}>
        <h2 className={cx(common.heading, styles.questionTitle)}>
          <ForeignText text={title} />
        </h2>
        <div className={cx(common.stack2, styles.questionText)}>{children}</div>
        <DialogFoot>
          <Button onClick={onStay}>{stay}</Button>
          <Button kind="danger" onClick={onGoOn}>
            {goOn}
          </Button>
        </DialogFoot>
      </div>
    </Dialog>
  );
}

const Corner = createContext<HTMLElement | null>(null);

export function ToastCorner({ children }: { children: ReactNode }): ReactElement {
  const [corner, setCorner] = useState<HTMLElement | null>(null);
  return (
    <Corner value={corner}>
      {children}
      <div ref={setCorner} className={styles.region} role="region" aria-label="Messages" />
    </Corner>
  );
}

export interface ToastProps extends Omit<BannerProps, 'flush' | 'actions'> {
  onDismiss: () => void;
}

/** A message in the corner. It must never contain a way to approve. */
export function Toast(props: ToastProps): ReactElement | null {
  const corner = useContext(Corner);
  return corner && createPortal(<RaisedBanner {...props} />, corner);
}

interface FailureToastProps {
  failure: { message: string; next: string };
  children?: ReactNode;
  onDismiss: () => void;
}

export function FailureToast({ failure, children, onDismiss }: FailureToastProps): ReactElement {
  return (
    <Toast tone="danger" title={failure.message} onDismiss={onDismiss}>
      {failure.next} {children}
    </Toast>
  );
}

/** Returns the focus, which would be lost if a message disappears while it has the focus. */
function RaisedBanner({ onDismiss, ...banner }: ToastProps): ReactElement {
  const toast = useRef<HTMLDivElement>(null);
  const returnTo = useRef<EventTarget | null>(null);
  useLayoutEffect(() => {
    const element = toast.current;
    return () => {
      const hasFocus = element?.contains(document.activeElement) === true;
      if (hasFocus && returnTo.current instanceof HTMLElement) returnTo.current.focus();
    };
  }, []);
  return (
    <div
      ref={toast}
      className={styles.toast}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) returnTo.current = relatedTarget;
      }}
    >
      <Banner
        {...banner}
        actions={<IconButton icon="close" size="small" label="Dismiss" onClick={onDismiss} />}
      />
    </div>
  );
}
