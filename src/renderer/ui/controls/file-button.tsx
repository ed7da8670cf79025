import { type ReactElement, useRef } from 'react';
import { Button, type ButtonProps } from './buttons.tsx';

export interface FileButtonProps extends Pick<ButtonProps, 'icon' | 'disabled'> {
  children: string;
  /** The accessible name of the file input. */
  label: string;
  /** Extensions and types, as an input takes them. */
  accept: string;
  onFile: (file: File) => void;
}

/** A button that asks for one file. Choosing the same file again counts: it may have been edited. */
export function FileButton({ label, accept, onFile, ...button }: FileButtonProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}
