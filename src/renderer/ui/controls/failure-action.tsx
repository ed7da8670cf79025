import type { ReactElement } from 'react';
import { Button, buttonClass, type ButtonProps } from './button.tsx';

export interface FailureActionProps {
  /** The words of the step that helps, on the page at `href`; null where trying again may. */
  step: string | null;
  href: string;
  onRetry: () => void;
  size?: NonNullable<ButtonProps['size']>;
}

/** The one next step after a failure: the page where a person can end it, else trying again. */
export function FailureAction({ step, href, onRetry, size = 'normal' }: FailureActionProps): ReactElement {
  const kind = size === 'normal' ? 'primary' : 'secondary';
  if (step !== null) {
    return (
      <a className={buttonClass(kind, size)} href={href}>
        {step}
      </a>
    );
  }
  return (
    <Button kind={kind} size={size} icon="refresh" onClick={onRetry}>
      Try again
    </Button>
  );
}
