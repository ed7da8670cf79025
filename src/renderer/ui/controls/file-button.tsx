import { type ReactElement, useRef } from 'react';
import { Button, type ButtonProps } from './buttons.tsx';

export interface FileButtonProps extends Pick<ButtonProps, 'icon' | 'kind' | 'disabled'> {
  children: string;
  label: string;
  accept: string;
  multiple?: boolean;
  onFile: (first: File, all: readonly File[]) => void;
}

/** A button that opens a file dialog. A file can be chosen twice in a row, because it may have been edited. */
export function FileButton({ label, accept, multiple, onFile, ...button }: FileButtonProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        aria-label={label}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = '';
          if (files[0] !== undefined) onFile(files[0], files);
        }}
      />
    </>
  );
}
