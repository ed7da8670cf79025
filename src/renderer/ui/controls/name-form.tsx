import { type FormEvent, type ReactElement, type ReactNode, useState } from 'react';
import { Button } from './buttons.tsx';
import { TextField } from './fields.tsx';
import { DialogFoot } from '../overlay/dialog.tsx';
import styles from './controls.module.css';
import { codePointLength } from '#shared/lib/inert-text.ts';
import common from '../styles/common.module.css';
import { cx } from '../cx.ts';

export interface NameFormProps {
  name?: string;
  maxLength: number;
  action: (name: string) => string;
  error?: string | undefined;
  isBusy: boolean;
  size?: 'small' | 'normal';
  children?: ReactNode;
  other?: ReactNode;
  onTyped?: () => void;
  onSubmit: (name: string) => void;
  onCancel: () => void;
}

export function NameForm(props: NameFormProps): ReactElement {
  const {
    maxLength,
    action,
    error,
    isBusy,
    size = 'normal',
    children,
    other,
    onTyped,
    onSubmit,
    onCancel,
  } = props;
  const [name, setName] = useState(props.name ?? '');
  const fault = nameFault(name, maxLength);
  const isName = name.trim() !== '' && fault === undefined;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (isName) onSubmit(name.trim());
  }

  return (
    <form className={cx(common.stack3, styles.nameForm)} onSubmit={submit} noValidate>
      <TextField
        label="Name"
        value={name}
        limit={size === 'small' ? undefined : `At most ${maxLength} characters`}
        error={fault ?? error}
        autoFocus
        onChange={(text) => {
          onTyped?.();
          setName(text);
        }}
      />
      {children}
      <DialogFoot>
        <Button size={size} kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        {other}
        <Button type="submit" size={size} kind="primary" disabled={isBusy || !isName}>
          {action(name)}
        </Button>
      </DialogFoot>
    </form>
  );
}

function nameFault(name: string, maxLength: number): string | undefined {
  if (codePointLength(name.trim()) > maxLength) return `Use at most ${maxLength} characters.`;
  return /\p{C}/u.test(name) ? 'Use visible characters only.' : undefined;
}
